package openai

import (
	"dugout/agentloop/model"
	"dugout/sessionio"
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"
)

const imageLeftOut = "(an image was left out: this model takes none)"

// params makes the body of a call.
func (p *Provider) params(req model.Request) (sdk.ChatCompletionNewParams, error) {
	info, known := p.Describe(req.Model)
	body := sdk.ChatCompletionNewParams{
		Model:         req.Model,
		Messages:      convert(req.System, req.Messages, info.Images || !known),
		StreamOptions: sdk.ChatCompletionStreamOptionsParam{IncludeUsage: sdk.Bool(true)},
	}
	body.SetExtraFields(map[string]any{"stream": true})
	for _, t := range req.Tools {
		var schema map[string]any
		if err := json.Unmarshal(t.Schema, &schema); err != nil {
			return body, fmt.Errorf("schema of tool %s is not a JSON object: %w", t.Name, err)
		}
		body.Tools = append(body.Tools, sdk.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
			Name: t.Name, Description: sdk.String(t.Description), Parameters: schema,
		}))
	}
	if req.MaxTokens > 0 {
		n := sdk.Int(int64(req.MaxTokens))
		if p.official {
			body.MaxCompletionTokens = n // the old name is refused by models that think
		} else {
			body.MaxTokens = n // the new name is unknown to many servers
		}
	}
	if info.Thinking {
		body.ReasoningEffort = shared.ReasoningEffort(effort(req.Model, req.ThinkingLevel, len(req.Tools) > 0))
	}
	return body, nil
}

func convert(system string, messages []sessionio.Message, images bool) []sdk.ChatCompletionMessageParamUnion {
	var out []sdk.ChatCompletionMessageParamUnion
	if system != "" {
		out = append(out, sdk.SystemMessage(system))
	}
	// A tool's message holds text alone here; its images follow when all results are told.
	var shown []sessionio.Block
	show := func() {
		if len(shown) > 0 {
			out = append(out, userMessage(shown, images))
			shown = nil
		}
	}
	for _, m := range model.JoinTurns(messages) {
		switch m.Role {
		case sessionio.RoleToolResult:
			out = append(out, sdk.ToolMessage(resultText(m, images), m.ToolCallID))
			if images {
				shown = append(shown, imagesOf(m)...)
			}
		case sessionio.RoleAssistant:
			show()
			out = append(out, assistantMessage(m))
		default:
			m.Content = append(shown, m.Content...)
			shown = nil
			out = append(out, userMessage(m.Content, images))
		}
	}
	show()
	return out
}

// userMessage is plain text where it can be: many servers take no parts.
func userMessage(blocks []sessionio.Block, images bool) sdk.ChatCompletionMessageParamUnion {
	var parts []sdk.ChatCompletionContentPartUnionParam
	var texts []string
	plain := true
	for _, b := range blocks {
		switch {
		case b.Type == sessionio.BlockImage && images:
			plain = false
			parts = append(parts, sdk.ImageContentPart(sdk.ChatCompletionContentPartImageImageURLParam{
				URL: "data:" + b.MimeType + ";base64," + b.Data,
			}))
		case b.Type == sessionio.BlockImage:
			texts = append(texts, imageLeftOut)
		case b.Type == sessionio.BlockText:
			texts = append(texts, b.Text)
			parts = append(parts, sdk.TextContentPart(b.Text))
		}
	}
	if plain {
		return sdk.UserMessage(strings.Join(texts, "\n"))
	}
	return sdk.UserMessage(parts)
}

func imagesOf(m sessionio.Message) []sessionio.Block {
	var out []sessionio.Block
	for _, b := range m.Content {
		if b.Type == sessionio.BlockImage {
			out = append(out, b)
		}
	}
	if len(out) > 0 {
		lead := sessionio.Block{Type: sessionio.BlockText, Text: "What " + m.ToolName + " returned as image:"}
		out = append([]sessionio.Block{lead}, out...)
	}
	return out
}

func resultText(m sessionio.Message, images bool) string {
	var texts []string
	for _, b := range m.Content {
		switch {
		case b.Type == sessionio.BlockText:
			texts = append(texts, b.Text)
		case b.Type == sessionio.BlockImage && images:
			texts = append(texts, "(image, in the next message)")
		case b.Type == sessionio.BlockImage:
			texts = append(texts, imageLeftOut)
		}
	}
	return strings.Join(texts, "\n")
}

// assistantMessage leaves thinking out: this wire has no place to give it back.
func assistantMessage(m sessionio.Message) sdk.ChatCompletionMessageParamUnion {
	var out sdk.ChatCompletionAssistantMessageParam
	var texts []string
	for _, b := range m.Content {
		switch b.Type {
		case sessionio.BlockText:
			texts = append(texts, b.Text)
		case sessionio.BlockToolCall:
			out.ToolCalls = append(out.ToolCalls, sdk.ChatCompletionMessageToolCallUnionParam{
				OfFunction: &sdk.ChatCompletionMessageFunctionToolCallParam{
					ID:       b.ID,
					Function: sdk.ChatCompletionMessageFunctionToolCallFunctionParam{Name: b.Name, Arguments: string(b.Arguments)},
				},
			})
		default:
		}
	}
	if len(texts) > 0 {
		out.Content.OfString = param.NewOpt(strings.Join(texts, "\n"))
	}
	return sdk.ChatCompletionMessageParamUnion{OfAssistant: &out}
}
