namespace CoAP.TestSupport;

/// <summary>What a request has come to after the wire has run.</summary>
internal static class Outcome
{
    /// <summary>The response, or the exception that the caller would get.</summary>
    /// <exception cref="ScriptException">The request still waits.</exception>
    public static CoapResponse Answer(this Task<CoapResponse> call) =>
        call.IsCompleted ? call.GetAwaiter().GetResult() : throw new ScriptException("The request still waits for its outcome.");
}
