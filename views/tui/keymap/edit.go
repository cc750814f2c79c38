package keymap

// Actions of editing text: the shell's.
const (
	EditLeft          Action = "edit.left"
	EditRight         Action = "edit.right"
	EditWordLeft      Action = "edit.wordLeft"
	EditWordRight     Action = "edit.wordRight"
	EditLineStart     Action = "edit.lineStart"
	EditLineEnd       Action = "edit.lineEnd"
	EditStart         Action = "edit.start"
	EditEnd           Action = "edit.end"
	EditUp            Action = "edit.up"
	EditDown          Action = "edit.down"
	EditNewline       Action = "edit.newline"
	EditBackspace     Action = "edit.backspace"
	EditDelete        Action = "edit.delete"
	EditKillWordLeft  Action = "edit.killWordLeft"
	EditKillWordRight Action = "edit.killWordRight"
	EditKillToStart   Action = "edit.killToStart"
	EditKillToEnd     Action = "edit.killToEnd"
	EditYank          Action = "edit.yank"
	EditUndo          Action = "edit.undo"
)

// Edit are the keys of every text field. A screen's own keys come first.
func Edit() []Binding {
	return []Binding{
		{Action: EditLeft, Keys: []string{"left", "ctrl+b"}, Help: "back"},
		{Action: EditRight, Keys: []string{"right", "ctrl+f"}, Help: "forward"},
		{Action: EditWordLeft, Keys: []string{"alt+b", "alt+left", "ctrl+left"}, Help: "a word back"},
		{Action: EditWordRight, Keys: []string{"alt+f", "alt+right", "ctrl+right"}, Help: "a word forward"},
		{Action: EditLineStart, Keys: []string{"ctrl+a", "home"}, Help: "start of line"},
		{Action: EditLineEnd, Keys: []string{"ctrl+e", "end"}, Help: "end of line"},
		{Action: EditStart, Keys: []string{"alt+<", "ctrl+home"}, Help: "start of text"},
		{Action: EditEnd, Keys: []string{"alt+>", "ctrl+end"}, Help: "end of text"},
		{Action: EditUp, Keys: []string{"up"}, Help: "up"},
		{Action: EditDown, Keys: []string{"down"}, Help: "down"},
		{Action: EditNewline, Keys: []string{"ctrl+j", "alt+enter"}, Help: "new line"},
		{Action: EditBackspace, Keys: []string{"backspace", "ctrl+h"}, Help: "delete back"},
		{Action: EditDelete, Keys: []string{"delete", "ctrl+d"}, Help: "delete"},
		{Action: EditKillWordLeft, Keys: []string{"ctrl+w", "alt+backspace"}, Help: "cut a word back"},
		{Action: EditKillWordRight, Keys: []string{"alt+d", "alt+delete"}, Help: "cut a word"},
		{Action: EditKillToStart, Keys: []string{"ctrl+u"}, Help: "cut to the start"},
		{Action: EditKillToEnd, Keys: []string{"ctrl+k"}, Help: "cut to the end"},
		{Action: EditYank, Keys: []string{"ctrl+y"}, Help: "paste what was cut"},
		{Action: EditUndo, Keys: []string{"ctrl+_", "alt+z"}, Help: "undo"},
	}
}
