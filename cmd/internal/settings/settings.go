// Package settings reads dugout's settings: the home's settings.json, of a project's
// .dugout/settings.json the two fields that a stranger's folder may set, and the environment.
// Only cmd may import it; everybody else gets an options struct.
package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Settings is the home's settings.json. Every field may be left out.
type Settings struct {
	Model      string              `json:"model,omitempty"`      // provider/model of new sessions
	Permission string              `json:"permission,omitempty"` // ask (default), edits, all
	Rules      []Rule              `json:"rules,omitempty"`
	Providers  map[string]Provider `json:"providers,omitempty"`
	Models     []Model             `json:"models,omitempty"`
	Sessions   Sessions            `json:"sessions,omitzero"`
	Retry      Retry               `json:"retry,omitzero"`
	Compaction Compaction          `json:"compaction,omitzero"`
	Memory     Memory              `json:"memory,omitzero"`
	Watchdog   Duration            `json:"watchdogTimeout,omitzero"` // silence that ends a stream
	MaxDepth   int                 `json:"maxDepth,omitempty"`       // of child sessions
	IdleExit   Duration            `json:"idleExit,omitzero"`        // when the daemon leaves
	Theme      string              `json:"theme,omitempty"`          // auto, dark, light, 16, none
	Keys       map[string][]string `json:"keys,omitempty"`           // action -> keys

	sources []source // the home's file first
}

// Rule allows or denies calls of a tool; see permission.Rule.
type Rule struct {
	Tool    string `json:"tool"`
	Pattern string `json:"pattern"`
	Allow   bool   `json:"allow"`
}

// Provider is a model provider. The key comes from KeyEnv or, where that is empty or unset, from
// what KeyCommand prints; it is never written anywhere.
type Provider struct {
	Type       string `json:"type"` // anthropic, openai (chat completions)
	BaseURL    string `json:"baseURL,omitempty"`
	KeyEnv     string `json:"keyEnv,omitempty"`
	KeyCommand string `json:"keyCommand,omitempty"`
}

// Model adds to or overrides the built-in catalog. Prices are dollars per million tokens.
type Model struct {
	Ref           string  `json:"ref"` // provider/model
	Name          string  `json:"name,omitempty"`
	ContextWindow int     `json:"contextWindow,omitempty"`
	MaxOutput     int     `json:"maxOutput,omitempty"`
	InputPrice    float64 `json:"inputPrice,omitempty"`
	OutputPrice   float64 `json:"outputPrice,omitempty"`
	Thinking      bool    `json:"thinking,omitempty"`
	Images        bool    `json:"images,omitempty"`
}

// Sessions says where session files are.
type Sessions struct {
	Dir  string   `json:"dir,omitempty"`  // of new ones; relative to the project
	Also []Folder `json:"also,omitempty"` // listed, read-only
	// NoTrash deletes for good, at once.
	NoTrash bool `json:"noTrash,omitempty"`
}

// Folder is a further store.
type Folder struct {
	Dir    string `json:"dir"`
	Source string `json:"source,omitempty"` // dugout, prime, pi
}

// Retry bounds the tries of one model call.
type Retry struct {
	Max  *int     `json:"max,omitempty"`
	Base Duration `json:"base,omitzero"`
	Cap  Duration `json:"cap,omitzero"`
}

// Compaction as in the session format's reference.
type Compaction struct {
	Off              bool `json:"off,omitempty"`
	ReserveTokens    int  `json:"reserveTokens,omitempty"`
	KeepRecentTokens int  `json:"keepRecentTokens,omitempty"`
}

// Memory turns on the search of earlier sessions from within one.
type Memory struct {
	Command bool `json:"command,omitempty"` // /memory in the chat
	Tool    bool `json:"tool,omitempty"`    // search_memory for the model
}

// Duration is written as Go writes durations: "90s", "3m".
type Duration time.Duration

// UnmarshalText reads "3m".
func (d *Duration) UnmarshalText(b []byte) error {
	v, err := time.ParseDuration(string(b))
	if err != nil {
		return fmt.Errorf("%q is no duration; write it like 90s or 3m", b)
	}
	*d = Duration(v)
	return nil
}

// MarshalText writes "3m0s".
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// project is what a project's own file may set. Anything that could run a command, send a key
// elsewhere or widen a permission is the home's alone: the file comes with the code of strangers.
type project struct {
	Model    string `json:"model,omitempty"`
	Sessions struct {
		Dir string `json:"dir,omitempty"`
	} `json:"sessions,omitzero"`
}

// Load reads the home's settings and those of the nearest project above cwd. A file that does not
// exist sets nothing; one that can't be understood is an error that names file and line.
func Load(home, cwd string) (Settings, error) {
	var s Settings
	src, err := readStrict(filepath.Join(home, "settings.json"), &s)
	if err != nil {
		return Settings{}, err
	}
	s.sources = append(s.sources, src)
	root := projectRoot(home, cwd)
	if root == "" {
		return s, nil
	}
	var p project
	if src, err = readStrict(filepath.Join(root, ".dugout", "settings.json"), &p); err != nil {
		return Settings{}, err
	}
	s.sources = append(s.sources, src)
	if p.Model != "" {
		s.Model = p.Model
	}
	if dir := p.Sessions.Dir; dir != "" {
		if filepath.IsAbs(dir) || !filepath.IsLocal(dir) {
			return Settings{}, fmt.Errorf("%s: sessions.dir must be a folder inside the project, not %q", s.At("sessions", "dir"), dir)
		}
		s.Sessions.Dir = filepath.Join(root, dir)
	}
	return s, nil
}

// projectRoot is the nearest folder at or above cwd with a .dugout/settings.json that is not the home.
func projectRoot(home, cwd string) string {
	for dir := filepath.Clean(cwd); ; dir = filepath.Dir(dir) {
		f := filepath.Join(dir, ".dugout", "settings.json")
		if _, err := os.Stat(f); err == nil && filepath.Dir(f) != filepath.Clean(home) {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

func readStrict(path string, into any) (source, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return source{path: path}, nil
	}
	if err != nil {
		return source{}, fmt.Errorf("settings: %w", err)
	}
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	return source{path, b}, decodeStrict(path, b, into)
}

// decodeStrict refuses unknown fields and whatever follows the object; errors name file and line.
func decodeStrict(path string, b []byte, into any) error {
	if len(bytes.TrimSpace(b)) == 0 {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	err := dec.Decode(into)
	if err == nil {
		if _, more := dec.Token(); errors.Is(more, io.EOF) {
			return nil
		}
		return fmt.Errorf("%s:%d: something follows the settings' closing brace", path, lineAt(b, dec.InputOffset()))
	}
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch name, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); {
	case errors.As(err, &syntax):
		return fmt.Errorf("%s:%d: %s", path, lineAt(b, syntax.Offset), syntax.Error())
	case errors.As(err, &wrong):
		return fmt.Errorf("%s:%d: %s must be %s, not %s", path, lineAt(b, wrong.Offset), wrong.Field, wrong.Type, wrong.Value)
	case unknown:
		return fmt.Errorf("%s:%d: unknown setting %s", path, lineAt(b, int64(bytes.Index(b, []byte(name)))+1), name)
	default:
		return fmt.Errorf("%s:%d: %w", path, lineAt(b, dec.InputOffset()), err)
	}
}

func lineAt(b []byte, offset int64) int {
	return 1 + bytes.Count(b[:min(max(int(offset)-1, 0), len(b))], []byte("\n"))
}
