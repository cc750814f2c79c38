// Package widget holds the parts that screens share: list, editor, confirm, picker, help.
package widget
