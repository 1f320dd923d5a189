namespace CoAP.Dtls;

/// <summary>What a record carries (RFC 5246, section 6.2.1).</summary>
internal enum ContentType : byte
{
    ChangeCipherSpec = 20,
    Alert = 21,
    Handshake = 22,
    ApplicationData = 23,

    /// <summary>A record with a connection ID, "tls12_cid". The real type is encrypted (RFC 9146, section 4).</summary>
    ConnectionId = 25,

    /// <summary>A message of the return routability check (RFC 9853).</summary>
    ReturnRoutabilityCheck = 27,
}
