package anthropic

import (
	"dugout/agentloop/model"
	"dugout/sessionio"
	"encoding/json"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/param"
)

const imageLeftOut = "(an image was left out: this model takes none)"

func tools(specs []model.ToolSpec) []sdk.ToolUnionParam {
	var out []sdk.ToolUnionParam
	for _, t := range specs {
		out = append(out, sdk.ToolUnionParam{OfTool: &sdk.ToolParam{
			Name: t.Name, Description: sdk.String(t.Description),
			InputSchema: param.Override[sdk.ToolInputSchemaParam](json.RawMessage(t.Schema)),
		}})
	}
	return out
}

// convert makes the messages of a call: user and assistant take turns, and what tools returned
// stands first in the user's message after their calls. The last block of the last user message is
// marked, so that everything up to there is cached for the next call.
func (p *Provider) convert(req model.Request, images bool) []sdk.MessageParam {
	var out []sdk.MessageParam
	var open []sdk.ContentBlockParamUnion // of the user's message under way
	flush := func() {
		if len(open) > 0 {
			out = append(out, sdk.NewUserMessage(open...))
			open = nil
		}
	}
	for _, m := range model.JoinTurns(req.Messages) {
		switch m.Role {
		case sessionio.RoleAssistant:
			if blocks := p.assistantBlocks(m, req.Model); len(blocks) > 0 {
				flush()
				out = append(out, sdk.NewAssistantMessage(blocks...))
			}
		case sessionio.RoleToolResult:
			open = append(open, result(m, images))
		default:
			open = append(open, userBlocks(m, images)...)
		}
	}
	if n := len(open); n > 0 {
		if cache := open[n-1].GetCacheControl(); cache != nil {
			*cache = sdk.NewCacheControlEphemeralParam()
		}
	}
	flush()
	return out
}

func userBlocks(m sessionio.Message, images bool) []sdk.ContentBlockParamUnion {
	var out []sdk.ContentBlockParamUnion
	for _, b := range m.Content {
		switch {
		case b.Type == sessionio.BlockImage && images:
			out = append(out, sdk.NewImageBlockBase64(b.MimeType, b.Data))
		case b.Type == sessionio.BlockImage:
			out = append(out, sdk.NewTextBlock(imageLeftOut))
		case b.Type == sessionio.BlockText:
			out = append(out, sdk.NewTextBlock(b.Text))
		}
	}
	return out
}

func result(m sessionio.Message, images bool) sdk.ContentBlockParamUnion {
	out := sdk.ToolResultBlockParam{ToolUseID: wireID(m.ToolCallID), IsError: sdk.Bool(m.IsError)}
	for _, b := range userBlocks(m, images) {
		out.Content = append(out.Content, sdk.ToolResultBlockParamContentUnion{OfText: b.OfText, OfImage: b.OfImage})
	}
	return sdk.ContentBlockParamUnion{OfToolResult: &out}
}

func (p *Provider) assistantBlocks(m sessionio.Message, id string) []sdk.ContentBlockParamUnion {
	var out []sdk.ContentBlockParamUnion
	mine := p.mine(m, id)
	for _, b := range m.Content {
		switch b.Type {
		case sessionio.BlockText:
			out = append(out, sdk.NewTextBlock(b.Text))
		case sessionio.BlockToolCall:
			out = append(out, sdk.NewToolUseBlock(wireID(b.ID), b.Arguments, b.Name))
		case sessionio.BlockThinking:
			switch {
			case !mine || b.ThinkingSignature == "":
			case b.Redacted:
				out = append(out, sdk.NewRedactedThinkingBlock(b.ThinkingSignature))
			default:
				out = append(out, sdk.NewThinkingBlock(b.ThinkingSignature, b.Thinking))
			}
		default:
		}
	}
	return out
}

// wireID makes an id fit the characters that this wire allows; ids of other providers may hold more.
func wireID(id string) string {
	const longest = 64
	fits := len(id) <= longest
	for i := 0; fits && i < len(id); i++ {
		c := id[i]
		fits = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
	}
	if fits {
		return id
	}
	return hashed(id)
}
