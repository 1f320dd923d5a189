namespace CoAP.Lanes;

/// <summary>How a received request ended. Each request ends exactly once.</summary>
internal enum RequestEnd
{
    /// <summary>The response was sent at once.</summary>
    Answered,

    /// <summary>The response was sent after an empty acknowledgement.</summary>
    AnsweredLater,

    /// <summary>The client or the protocol wanted no response.</summary>
    Suppressed,

    /// <summary>The endpoint was at fault: the response was 5.00, or there was none.</summary>
    Failed,

    /// <summary>A filter or a full buffer dropped the request or its answer.</summary>
    Dropped,

    /// <summary>The connection ended before the response was sent.</summary>
    Lost,
}
