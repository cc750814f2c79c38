package sessionio

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf16"
)

// line is one line of a file as it lies there.
type line struct {
	no     int // 1-based
	offset int64
	length int64  // without LF
	whole  bool   // ended by LF
	text   []byte // without LF; of a long line its short form, nothing when it is no object; valid until the next call
}

// longLine is the length from which on a line is not read into memory.
const longLine = 1 << 20

// eachLine reads lines ended by LF alone; the last may lack it. Blank lines are passed over, but
// the last when it lacks its LF. It begins at a place, after a number of lines, and returns how many
// the file has.
func eachLine(r *io.SectionReader, from int64, no int, each func(line) error) (int, error) {
	return linesBy(longLine, r, from, no, each)
}

func linesBy(long int, r *io.SectionReader, from int64, no int, each func(line) error) (int, error) {
	br := bufio.NewReaderSize(r, int(min(max(r.Size()+1, 4<<10), int64(long))))
	for offset := from; ; {
		var l line
		text, err := br.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			s := newSkimmer(io.NewSectionReader(r, offset-from, r.Size()-(offset-from)), offset, no)
			found := s.next()
			no = s.no
			if s.err != nil || !found {
				return no, s.err
			}
			l = s.line
		case err != nil && !errors.Is(err, io.EOF):
			return no, err
		case len(text) == 0:
			return no, nil
		default:
			no++
			l = line{no: no, offset: offset, whole: err == nil, text: bytes.TrimSuffix(text, []byte("\n"))}
			l.length = int64(len(l.text))
		}
		if offset = l.offset + l.length; l.whole {
			offset++
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			if _, err := r.Seek(offset-from, io.SeekStart); err != nil {
				return no, err
			}
			br.Reset(r)
		} else if l.whole && l.blank() {
			continue
		}
		if err := each(l); err != nil {
			return no, err
		}
	}
}

// blank says that nothing stands on the line; a long one without a short form is not blank.
func (l line) blank() bool { return int64(len(l.text)) == l.length && len(l.content()) == 0 }

var bom = []byte("\ufeff")

// content is a line's JSON: without the file's byte order mark and the CR of a foreign line end.
func (l line) content() []byte {
	b := l.text
	if l.offset == 0 {
		b = bytes.TrimPrefix(b, bom)
	}
	return trimBlank(b)
}

// previewUnits is how much text a Meta keeps, in UTF-16 units as the format counts.
const previewUnits = 200

// metaOf is what an index keeps of an entry.
func metaOf(e *Entry, l line) Meta {
	m := Meta{
		ID: e.ID, Parent: e.ParentID, Type: e.Type, Time: e.Timestamp, Line: l.no, Offset: l.offset, Length: l.length,
		Preview: clipUnits(previewOf(e), previewUnits),
	}
	if e.Message != nil {
		m.Role = e.Message.Role
		for _, b := range e.Message.Content {
			m.HasTools = m.HasTools || b.Type == BlockToolCall
		}
		if r := e.Message.StopReason; r == StopError || r == StopAborted {
			m.StopError = clipUnits(e.Message.ErrorMessage, maxTitleUnits)
			if m.StopError == "" {
				m.StopError = string(r)
			}
		}
	}
	return m
}

func previewOf(e *Entry) string {
	switch e.Type {
	case TypeMessage:
		if e.Message == nil {
			return ""
		}
		if e.Message.Role == RoleBash {
			return e.Message.Command
		}
		if t := textOf(e.Message.Content); t != "" {
			return t
		}
		for _, b := range e.Message.Content {
			if b.Type == BlockToolCall {
				return b.Name + " " + string(b.Arguments)
			}
		}
	case TypeCustomMessage:
		return textOf(e.Content)
	case TypeCompaction, TypeBranchSummary:
		return e.Summary
	case TypeLabel:
		return e.Label
	case TypeSessionInfo:
		return e.Name
	case TypeModelChange:
		return e.Provider + "/" + e.ModelID
	case TypeThinkingLevelChange:
		return e.ThinkingLevel
	case TypeCustom:
		return e.CustomType
	case TypeSessionState:
		if e.State != nil {
			return e.State.Status
		}
	case TypeAgentStatus:
		if e.Status != nil {
			return e.Status.Summary
		}
	}
	return ""
}

// textOf joins the text blocks by a space.
func textOf(content []Block) string {
	var parts []string
	for _, b := range content {
		if b.Type == BlockText && b.Text != "" {
			parts = append(parts, b.Text)
		}
	}
	return strings.Join(parts, " ")
}

// clipUnits cuts text after n UTF-16 units, at a rune.
func clipUnits(s string, n int) string {
	for i, r := range s {
		if n -= utf16.RuneLen(r); n < 0 {
			return strings.Clone(s[:i]) // not to hold what was cut off
		}
	}
	return s
}

// parseLine reads an entry's line and keeps its bytes; ok is false for what is no JSON object.
func parseLine(b []byte) (e Entry, ok bool) {
	f, ok := parseObject(b)
	if !ok {
		return Entry{}, false
	}
	e = entryOf(f)
	e.Raw = b
	return e, true
}

// glance is metaOf without decoding what an index does not keep.
func glance(f fields, l line) Meta {
	t := EntryType(f.str("type"))
	m, isObject := f.object("message")
	if t != TypeMessage || !isObject {
		e := entryOf(f)
		return metaOf(&e, l)
	}
	meta := Meta{
		ID: EntryID(f.str("id")), Parent: EntryID(f.str("parentId")), Type: t, Time: f.time("timestamp"),
		Line: l.no, Offset: l.offset, Length: l.length, Role: Role(m.str("role")),
	}
	var text, call string
	eachBlock(m.get("content"), func(kind, blockText string, b fields) {
		switch BlockType(kind) {
		case BlockText:
			if blockText == "" {
				return
			}
			if text != "" {
				text += " "
			}
			text += blockText
		case BlockToolCall:
			if meta.HasTools = true; call == "" {
				call = b.str("name") + " " + arguments(b)
			}
		}
	}, previewUnits)
	switch {
	case meta.Role == RoleBash:
		text = m.str("command")
	case text == "":
		text = call
	}
	meta.Preview = clipUnits(text, previewUnits)
	if r := StopReason(m.str("stopReason")); r == StopError || r == StopAborted {
		if meta.StopError = clipUnits(m.str("errorMessage"), maxTitleUnits); meta.StopError == "" {
			meta.StopError = string(r)
		}
	}
	return meta
}

func arguments(b fields) string {
	if _, ok := b.object("arguments"); !ok {
		return ""
	}
	return string(b.raw("arguments"))
}

// eachBlock walks a message's content; of text blocks that are longer only so many bytes of text are
// decoded as hold the given number of UTF-16 units.
func eachBlock(content json.RawMessage, each func(kind, text string, b fields), units int) {
	content = bytes.TrimSpace(content)
	if len(content) > 0 && content[0] == '"' {
		each(string(BlockText), decodeStart(content, units), nil)
		return
	}
	for _, p := range innerElements(content) {
		if f, ok := innerObject(p); ok {
			kind, text := f.str("type"), ""
			if BlockType(kind) == BlockText {
				text = decodeStart(f.get("text"), units)
			}
			each(kind, text, f)
		} else if p[0] == '"' {
			each(string(BlockText), decodeStart(p, units), nil)
		}
	}
}

// decodeStart decodes the beginning of a JSON string: at least so many UTF-16 units of it, or all.
func decodeStart(raw []byte, units int) string {
	const most = 6 // bytes that one unit takes at most, written as an escape
	if len(raw) < 2 || raw[0] != '"' || len(raw) <= (units+2)*most {
		return decodeString(raw)
	}
	end := 1
	for end < (units+2)*most {
		if raw[end] != '\\' {
			end++
			continue
		}
		n := escapeLength(raw, end)
		if n == 0 {
			break
		}
		end += n
	}
	cut := append(bytes.Clone(raw[:end]), '"')
	s := decodeString(cut)
	return clipUnits(s, units) // a rune may have been cut in two behind that
}
