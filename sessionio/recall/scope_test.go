package recall

import (
	"dugout/sessionio"
	"os"
	"path/filepath"
	"testing"
)

func TestProjectAndWhatIsUnderIt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, d := range []string{"shop/.git", "shop/web/css", "shop2"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "shop"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	root := resolved(filepath.Join(dir, "shop"))
	for _, from := range []string{"shop", "shop/web/css", "link/web", "shop/gone/folder"} {
		if got := Project(filepath.Join(dir, from)); got != root {
			t.Errorf("the project of %s is %s", from, got)
		}
	}
	if got := Project(filepath.Join(dir, "shop2")); got != resolved(filepath.Join(dir, "shop2")) {
		t.Errorf("a folder without .git is of %s", got)
	}
	var infos []sessionio.Info
	for _, cwd := range []string{"shop", "shop2", "link/web/css", "shop/gone", ""} {
		if cwd != "" {
			cwd = filepath.Join(dir, cwd)
		}
		infos = append(infos, sessionio.Info{CWD: cwd})
	}
	if got := Under(filepath.Join(dir, "link"), infos); len(got) != 3 {
		t.Errorf("under the project are %v", got)
	}
}
