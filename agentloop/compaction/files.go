package compaction

import (
	"dugout/sessionio"
	"encoding/json"
	"slices"
	"strings"
)

// Files are those that the summarised part read and changed; a changed one is no longer named as read.
type Files struct {
	Read     []string `json:"readFiles"`
	Modified []string `json:"modifiedFiles"`
}

// filesOfDetails reads what an earlier summary of ours had collected.
func filesOfDetails(e sessionio.Entry) Files {
	var f Files
	if len(e.Details) == 0 || (e.FromHook != nil && *e.FromHook) {
		return f
	}
	if json.Unmarshal(e.Details, &f) != nil {
		return Files{} // somebody else's details
	}
	return f
}

// with adds the files that the tool calls of messages name.
func (f Files) with(messages []sessionio.Message) Files {
	for _, m := range messages {
		for _, b := range m.Content {
			if b.Type != sessionio.BlockToolCall {
				continue
			}
			var args struct {
				Path string `json:"path"`
			}
			if json.Unmarshal(b.Arguments, &args) != nil || args.Path == "" {
				continue
			}
			switch b.Name {
			case "read":
				f.Read = append(slices.Clip(f.Read), args.Path)
			case "write", "edit":
				f.Modified = append(slices.Clip(f.Modified), args.Path)
			}
		}
	}
	return f
}

func (f Files) and(g Files) Files {
	return Files{
		Read:     slices.Concat(f.Read, g.Read),
		Modified: slices.Concat(f.Modified, g.Modified),
	}
}

// tidy sorts, drops doubles, and leaves a modified file out of the read ones.
func (f Files) tidy() Files {
	modified := unique(f.Modified)
	read := slices.DeleteFunc(unique(f.Read), func(p string) bool {
		_, changed := slices.BinarySearch(modified, p)
		return changed
	})
	return Files{Read: read, Modified: modified}
}

func unique(list []string) []string {
	list = append([]string{}, list...)
	slices.Sort(list)
	return slices.Compact(list)
}

// text is the block that ends a summary.
func (f Files) text() string {
	var b strings.Builder
	block := func(name string, list []string) {
		if len(list) > 0 {
			b.WriteString("\n\n<" + name + ">\n" + strings.Join(list, "\n") + "\n</" + name + ">")
		}
	}
	block("read-files", f.Read)
	block("modified-files", f.Modified)
	return b.String()
}

func (f Files) details() json.RawMessage {
	raw, err := json.Marshal(f)
	if err != nil {
		return nil // strings always marshal
	}
	return raw
}
