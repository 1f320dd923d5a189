namespace CoAP.Lanes;

/// <summary>How a received request ended. Each request ends exactly once, in <c>IncomingRequest</c>, whose method <c>Finish</c> also counts it.</summary>
internal enum RequestEnd : byte
{
    /// <summary>The response was sent at once.</summary>
    Answered,

    /// <summary>The response was sent after an empty acknowledgement.</summary>
    AnsweredLater,

    /// <summary>The response was an error, and no handler was called.</summary>
    Refused,

    /// <summary>The client or the protocol wanted no response.</summary>
    Suppressed,

    /// <summary>The endpoint was at fault: the response was 5.00, or there was none.</summary>
    Failed,

    /// <summary>A filter dropped the request or its answer, or the answer found no room.</summary>
    Dropped,

    /// <summary>The connection or the endpoint ended before the response was sent.</summary>
    Lost,
}
