namespace CoAP.Tool.Observing;

/// <summary>One state of a resource.</summary>
/// <param name="At">When it arrived.</param>
/// <param name="Code">The code of the notification.</param>
/// <param name="Text">The payload, shortened.</param>
internal sealed record ObservedState(DateTimeOffset At, CoapCode Code, string Text);
