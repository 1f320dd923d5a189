namespace CoAP.Datagrams;

/// <summary>How the transmission of a separate answer has ended.</summary>
internal enum AnswerOutcome
{
    /// <summary>The peer has acknowledged the answer.</summary>
    Acknowledged,

    /// <summary>The peer has rejected the answer with a Reset, or the answer could not be sent.</summary>
    Rejected,

    /// <summary>The peer has not replied, or the network did not deliver the answer.</summary>
    Unheard,
}
