package openai

import (
	"fmt"
	"strings"
)

// effort turns a thinking level into what a thinking model takes; "" leaves it to the model.
func effort(id, level string, tools bool) string {
	gpt := generation(id)
	if tools && gpt >= 504 {
		return "none" // chat completions refuse tools beside any other effort from here on
	}
	top := map[bool]string{true: "xhigh", false: "high"}[gpt >= 502]
	switch level {
	case "off":
		return map[bool]string{true: "none", false: lowest(gpt)}[gpt >= 501]
	case "minimal":
		return lowest(gpt)
	case "low", "medium", "high":
		return level
	case "xhigh":
		return top
	case "max":
		if gpt >= 506 {
			return "max"
		}
		return top
	}
	return ""
}

// lowest is the least effort that is not none: only the first GPT-5 knows minimal.
func lowest(gpt int) string {
	if gpt == 500 {
		return "minimal"
	}
	return "low"
}

// generation reads "gpt-5.6-sol" as 506; 0 is any other family.
func generation(id string) int {
	id = id[strings.LastIndex(id, "/")+1:]
	var major, minor int
	if n, _ := fmt.Sscanf(id, "gpt-%d.%d", &major, &minor); n == 0 {
		return 0
	}
	return major*100 + minor
}
