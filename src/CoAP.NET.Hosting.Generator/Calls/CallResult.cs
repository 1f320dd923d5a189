using CoAP.Formats.Generation;
using CoAP.Hosting.Generation.Results;

namespace CoAP.Hosting.Generation.Calls;

/// <summary>A call, or the reasons why no code is generated for it.</summary>
internal sealed record CallResult(HandlerCall? Call, EqualArray<Problem> Problems);
