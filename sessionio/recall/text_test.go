package recall

import "testing"

func TestTextForAModel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.file("a", "/p", msg(1, "user", "which port?"), msg(2, "assistant", "8080"))
	q, err := ParseQuery("api port")
	if err != nil {
		t.Fatal(err)
	}
	want := `What earlier sessions of this project say about api port, most words first, then the newest:

[2025-02-03 05:01] session a, "title of a"
user: which port?
assistant, at the end of that turn: 8080
`
	if got := w.search("api port", Options{}).Text(q); got != want {
		t.Errorf("got %s", got)
	}
	want = `No earlier session of this project holds any of these words: api port
Words are matched, not meanings. Other words for the same thing may be there, or the same words in another language (English, if this was none).`
	if got := (Result{}).Text(q); got != want {
		t.Errorf("got %s", got)
	}
}
