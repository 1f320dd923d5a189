namespace CoAP.Hosting.Generation.Calls;

/// <summary>What a handler returns.</summary>
/// <param name="Form">What becomes of it.</param>
/// <param name="Type">The type of a value, without its nullability; "" if the handler returns none.</param>
/// <param name="IsAsync">Whether the handler returns a task.</param>
internal sealed record HandlerReturn(ResultForm Form, string Type, bool IsAsync);
