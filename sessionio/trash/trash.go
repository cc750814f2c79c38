// Package trash moves a file to the desktop's trash by the programs at hand, tried in turn.
package trash

import "context"

// Put moves one file, by absolute path, to the trash and says by which program. It believes no exit
// status: only a file that is gone is trashed. An error means that the file is still there.
func Put(ctx context.Context, path string) (program string, err error) { panic("contract") }
