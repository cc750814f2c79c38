package scripted

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
)

// kind is what a line of a script asks for.
type kind string

const (
	kindSay     kind = "say"
	kindThink   kind = "think"
	kindTokens  kind = "tokens"
	kindWait    kind = "wait"
	kindAsk     kind = "ask"
	kindFail    kind = "fail"
	kindTool    kind = "tool"
	kindUnknown kind = "unknown"
)

const maxTokens = 1_000_000 // a script that asks for more gets this many

// line is one line of a script, read.
type line struct {
	number int // from 0, in the whole message
	kind   kind
	arg    string // text, or the name of the fault; for an unknown line, the line itself

	count int     // tokens
	rate  float64 // tokens a second; 0 as fast as it goes
	wait  time.Duration

	tool string
	args json.RawMessage
}

// parseScript reads a message line by line; blank lines are passed over.
func parseScript(text string) []line {
	var out []line
	for i, s := range strings.Split(text, "\n") {
		s = strings.TrimSpace(s)
		if s == "" {
			continue
		}
		l, ok := parseLine(s)
		if !ok {
			l = line{kind: kindUnknown, arg: s}
		}
		l.number = i
		out = append(out, l)
	}
	return out
}

func parseLine(s string) (line, bool) {
	word, rest, ok := strings.Cut(s, ":")
	if !ok {
		return line{}, false
	}
	rest = strings.TrimSpace(rest)
	switch k := kind(word); k {
	case kindSay, kindThink, kindAsk:
		return line{kind: k, arg: rest}, rest != ""
	case kindTokens:
		return parseTokens(rest)
	case kindWait:
		d, err := time.ParseDuration(rest)
		return line{kind: kindWait, wait: d}, err == nil && d >= 0
	case kindFail:
		return line{kind: kindFail, arg: rest}, slices.Contains(faultNames(), rest)
	case kindTool, kindUnknown:
		return line{}, false
	}
	return parseTool(word, rest)
}

// parseTokens reads "N" or "N @ R".
func parseTokens(s string) (line, bool) {
	count, rate, hasRate := strings.Cut(s, "@")
	n, err := strconv.Atoi(strings.TrimSpace(count))
	if err != nil || n < 0 {
		return line{}, false
	}
	l := line{kind: kindTokens, count: min(n, maxTokens)}
	if hasRate {
		r, err := strconv.ParseFloat(strings.TrimSpace(rate), 64)
		if err != nil || !(r > 0) {
			return line{}, false
		}
		l.rate = r
	}
	return l, true
}

// parseTool reads a tool line into the call that a model would make.
func parseTool(word, rest string) (line, bool) {
	path, text, _ := strings.Cut(rest, " ")
	var tool string
	var args any
	switch word {
	case "run":
		tool, args = "bash", map[string]string{"command": rest}
	case "read", "ls":
		tool, args = word, map[string]string{"path": rest}
	case "write":
		tool, args = word, map[string]string{"path": path, "content": unescape(text)}
	case "edit":
		before, after, ok := strings.Cut(text, " => ")
		if !ok {
			before, ok = strings.CutSuffix(text, " =>") // to nothing: the line's end was trimmed
		}
		if !ok || before == "" {
			return line{}, false
		}
		tool, args = word, map[string]any{"path": path, "edits": []map[string]string{
			{"oldText": unescape(before), "newText": unescape(after)},
		}}
	case "grep", "find":
		tool, args = word, map[string]string{"pattern": rest}
	case "spawn":
		tool, args = word, map[string]string{"prompt": unescape(rest)}
	default:
		return line{}, false
	}
	if word == "ls" && rest == "" {
		args = map[string]string{}
	} else if rest == "" {
		return line{}, false
	}
	b, err := json.Marshal(args)
	return line{kind: kindTool, tool: tool, args: b}, err == nil
}

func unescape(s string) string { return strings.ReplaceAll(s, `\n`, "\n") }
