namespace CoAP;

/// <summary>The registered response codes (RFC 7252, section 12.1.2, and the RFCs given at each code).</summary>
public static class ResponseCode
{
    /// <summary>2.01: the resource was created.</summary>
    public static CoapCode Created => new(2, 1);

    /// <summary>2.02: the resource was deleted or did not exist.</summary>
    public static CoapCode Deleted => new(2, 2);

    /// <summary>2.03: the representation with the ETag in the request is still current.</summary>
    public static CoapCode Valid => new(2, 3);

    /// <summary>2.04: the resource was changed.</summary>
    public static CoapCode Changed => new(2, 4);

    /// <summary>2.05: the payload is the requested representation.</summary>
    public static CoapCode Content => new(2, 5);

    /// <summary>2.31: the block was received; the client may send the next one (RFC 7959, section 2.9.1).</summary>
    public static CoapCode Continue => new(2, 31);

    /// <summary>4.00: the request was malformed.</summary>
    public static CoapCode BadRequest => new(4, 0);

    /// <summary>4.01: the client must authenticate or prove freshness first.</summary>
    public static CoapCode Unauthorized => new(4, 1);

    /// <summary>4.02: a critical option was not understood.</summary>
    public static CoapCode BadOption => new(4, 2);

    /// <summary>4.03: the client is not allowed to do this.</summary>
    public static CoapCode Forbidden => new(4, 3);

    /// <summary>4.04: the resource does not exist.</summary>
    public static CoapCode NotFound => new(4, 4);

    /// <summary>4.05: the resource does not support the method.</summary>
    public static CoapCode MethodNotAllowed => new(4, 5);

    /// <summary>4.06: no representation matches the Accept option.</summary>
    public static CoapCode NotAcceptable => new(4, 6);

    /// <summary>4.08: blocks of the body are missing (RFC 7959, section 2.9.2).</summary>
    public static CoapCode RequestEntityIncomplete => new(4, 8);

    /// <summary>4.09: the request conflicts with the state of the resource (RFC 8132, section 3.4).</summary>
    public static CoapCode Conflict => new(4, 9);

    /// <summary>4.12: the condition of If-Match or If-None-Match is not met.</summary>
    public static CoapCode PreconditionFailed => new(4, 12);

    /// <summary>4.13: the body is larger than the server accepts.</summary>
    public static CoapCode RequestEntityTooLarge => new(4, 13);

    /// <summary>4.15: the server does not support the Content-Format.</summary>
    public static CoapCode UnsupportedContentFormat => new(4, 15);

    /// <summary>4.22: the body was understood but cannot be processed (RFC 8132, section 3.4).</summary>
    public static CoapCode UnprocessableEntity => new(4, 22);

    /// <summary>4.29: the client sends too many requests (RFC 8516).</summary>
    public static CoapCode TooManyRequests => new(4, 29);

    /// <summary>5.00: the server failed.</summary>
    public static CoapCode InternalServerError => new(5, 0);

    /// <summary>5.01: the server does not support the request.</summary>
    public static CoapCode NotImplemented => new(5, 1);

    /// <summary>5.02: the proxy received an invalid response.</summary>
    public static CoapCode BadGateway => new(5, 2);

    /// <summary>5.03: the server is overloaded; Max-Age gives the time to wait before a retry.</summary>
    public static CoapCode ServiceUnavailable => new(5, 3);

    /// <summary>5.04: the proxy received no response in time.</summary>
    public static CoapCode GatewayTimeout => new(5, 4);

    /// <summary>5.05: the server does not act as a proxy.</summary>
    public static CoapCode ProxyingNotSupported => new(5, 5);

    /// <summary>5.08: the hop limit was reached, probably because of a loop (RFC 8768, section 3).</summary>
    public static CoapCode HopLimitReached => new(5, 8);
}
