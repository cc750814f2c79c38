package anthropic

import (
	"crypto/sha256"
	"encoding/hex"
)

// hashed is an id that stands for another one, the same each time.
func hashed(id string) string {
	sum := sha256.Sum256([]byte(id))
	return "call_" + hex.EncodeToString(sum[:16])
}
