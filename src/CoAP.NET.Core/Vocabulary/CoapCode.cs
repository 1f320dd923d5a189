namespace CoAP;

/// <summary>The code of a message: a class of 3 bits and a detail of 5 bits, written "c.dd" (RFC 7252, section 3).</summary>
/// <remarks><see cref="RequestCode"/>, <see cref="ResponseCode"/> and <see cref="SignalCode"/> define the registered values.</remarks>
/// <param name="Value">The byte on the wire.</param>
public readonly record struct CoapCode(byte Value)
{
    /// <summary>Creates a code from class and detail.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The class exceeds 7 or the detail exceeds 31.</exception>
    public CoapCode(int codeClass, int detail)
        : this((byte)((InRange(codeClass, 7, nameof(codeClass)) << 5) | InRange(detail, 31, nameof(detail))))
    {
    }

    /// <summary>The code of an Empty message, 0.00 (RFC 7252, section 4.1).</summary>
    public static CoapCode Empty => default;

    /// <summary>The class: 0 for requests; 2, 4 and 5 for responses; 7 for signaling.</summary>
    public int Class => Value >> 5;

    /// <summary>The detail, 0 to 31.</summary>
    public int Detail => Value & 31;

    /// <summary>Whether this is a request method, 0.01 to 0.31.</summary>
    public bool IsRequest => Value is > 0 and < 32;

    /// <summary>Whether this is a method that only retrieves: GET or FETCH (RFC 7252, section 5.1; RFC 8132, section 2).</summary>
    public bool IsSafe => this == RequestCode.Get || this == RequestCode.Fetch;

    /// <summary>Whether this is a method that has the same effect when it is repeated: GET, FETCH, PUT, DELETE or iPATCH (RFC 7252,
    /// section 5.1; RFC 8132, section 4).</summary>
    public bool IsIdempotent => IsSafe || this == RequestCode.Put || this == RequestCode.Delete || this == RequestCode.IPatch;

    /// <summary>Whether this is a response code (class 2, 4 or 5).</summary>
    public bool IsResponse => Class is 2 or 4 or 5;

    /// <summary>Whether the request was received, understood and accepted (2.xx).</summary>
    public bool IsSuccess => Class == 2;

    /// <summary>Whether the client caused the error (4.xx).</summary>
    public bool IsClientError => Class == 4;

    /// <summary>Whether the server caused the error (5.xx).</summary>
    public bool IsServerError => Class == 5;

    /// <summary>Whether this is a signaling code, 7.xx (RFC 8323, section 5).</summary>
    public bool IsSignal => Class == 7;

    /// <summary>Whether this is 0.00. A message with this code carries nothing else.</summary>
    public bool IsEmpty => Value == 0;

    /// <summary>Whether no RFC uses the class (1, 3 and 6).</summary>
    internal bool IsReserved => Class is 1 or 3 or 6;

    /// <summary>Whether messages with this code may have a payload. If not, senders add none and receivers ignore it (RFC 7252, section 5.5).</summary>
    internal bool MayHavePayload => this != RequestCode.Get && this != RequestCode.Delete && this != ResponseCode.Valid;

    /// <summary>Returns the code as "c.dd", such as "2.05".</summary>
    public override string ToString() => $"{Class}.{Detail:00}";

    private static int InRange(int value, int limit, string name)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(value, name);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(value, limit, name);
        return value;
    }
}
