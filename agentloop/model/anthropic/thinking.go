package anthropic

import (
	"dugout/agentloop/model"
	"dugout/sessionio"
	"regexp"
	"strconv"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
)

var modelName = regexp.MustCompile(`claude-([a-z]+)-(\d+)(?:[-.](\d{1,2}))?(?:$|\D)`)

// generation reads "claude-opus-4-6" as 406; 0 is any other model, and those before 4.
func generation(id string) int {
	m := modelName.FindStringSubmatch(id)
	if m == nil {
		return 0
	}
	major, _ := strconv.Atoi(m[2])
	minor, _ := strconv.Atoi(m[3])
	return major*100 + minor
}

func family(id string) string {
	if m := modelName.FindStringSubmatch(id); m != nil {
		return m[1]
	}
	return ""
}

// alwaysThinks says whether a model refuses to be told not to.
func alwaysThinks(id string) bool {
	switch family(id) {
	case "fable", "mythos":
		return true
	case "opus":
		return generation(id) >= 505
	}
	return false
}

// think sets how a model thinks. From 4.6 on it decides for itself how much, within an effort;
// before, it takes a budget. bound tells that its thinking is bound to what came before it, which a
// compaction or a new system prompt changes: the request must say that such blocks may be dropped.
func think(body *sdk.MessageNewParams, req model.Request) (bound bool) {
	gen, level := generation(req.Model), req.ThinkingLevel
	off := level == "off" || level == ""
	if gen >= 406 {
		if off && !alwaysThinks(req.Model) {
			if level == "off" {
				body.Thinking = sdk.ThinkingConfigParamUnion{OfDisabled: &sdk.ThinkingConfigDisabledParam{}}
			}
			return false
		}
		body.Thinking = sdk.ThinkingConfigParamUnion{OfAdaptive: &sdk.ThinkingConfigAdaptiveParam{
			Display: sdk.ThinkingConfigAdaptiveDisplaySummarized, // omitted by default on newer ones
		}}
		if !off {
			body.OutputConfig.Effort = sdk.OutputConfigEffort(effort(gen, level))
		}
		return gen >= 501 && family(req.Model) != "mythos"
	}
	budget := min(budgetOf(level), body.MaxTokens/2)
	if off || budget < 1024 || answersWithoutThinking(body.Messages) {
		return false
	}
	body.Thinking = sdk.ThinkingConfigParamOfEnabled(budget)
	return false
}

func effort(gen int, level string) string {
	switch {
	case level == "minimal":
		return "low"
	case level == "xhigh" && gen < 407:
		return "high"
	}
	return level
}

func budgetOf(level string) int64 {
	switch level {
	case "minimal":
		return 1024
	case "low":
		return 4096
	case "medium":
		return 10_240
	}
	return 32_000
}

// answersWithoutThinking finds tool results under way whose calls came without thinking (another
// model made them): with a budget the server would refuse the request.
func answersWithoutThinking(messages []sdk.MessageParam) bool {
	for i := len(messages) - 1; i > 0; i-- {
		u := messages[i].OfUser
		if u == nil || u.Content[0].OfToolResult == nil {
			return false
		}
		a := messages[i-1].OfAssistant
		if a == nil || a.Content[0].OfThinking == nil && a.Content[0].OfRedactedThinking == nil {
			return true
		}
		i--
	}
	return false
}

// mine says whether the thinking in a message may go back: a signature holds for the model that
// made it.
func (p *Provider) mine(m sessionio.Message, id string) bool {
	return m.API == API && m.Provider == p.name && m.Model == id
}
