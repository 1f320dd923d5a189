namespace CoAP;

/// <summary>What a message is: a class of 3 bits and a detail of 5 bits, written "c.dd" (RFC 7252, section 3).</summary>
/// <remarks><see cref="RequestCode"/>, <see cref="ResponseCode"/> and <see cref="SignalCode"/> name the registered values.</remarks>
/// <param name="Value">The byte on the wire.</param>
public readonly record struct CoapCode(byte Value)
{
    /// <summary>Makes a code of its two parts.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The class is over 7 or the detail over 31.</exception>
    public CoapCode(int codeClass, int detail)
        : this((byte)((InRange(codeClass, 7, nameof(codeClass)) << 5) | InRange(detail, 31, nameof(detail))))
    {
    }

    /// <summary>The code of an Empty message, 0.00 (RFC 7252, section 4.1).</summary>
    public static CoapCode Empty => default;

    /// <summary>The class: 0 for requests, 2, 4 and 5 for responses, 7 for signaling.</summary>
    public int Class => Value >> 5;

    /// <summary>The detail, 0 to 31.</summary>
    public int Detail => Value & 31;

    /// <summary>Whether this is a method, 0.01 to 0.31.</summary>
    public bool IsRequest => Value is > 0 and < 32;

    /// <summary>Whether this is a method that only retrieves: GET or FETCH (RFC 7252, section 5.1; RFC 8132, section 2).</summary>
    public bool IsSafe => this == RequestCode.Get || this == RequestCode.Fetch;

    /// <summary>Whether this is a method that may be repeated with the same effect: GET, FETCH, PUT, DELETE or iPATCH (RFC 7252, section 5.1;
    /// RFC 8132, section 4).</summary>
    public bool IsIdempotent => IsSafe || this == RequestCode.Put || this == RequestCode.Delete || this == RequestCode.IPatch;

    /// <summary>Whether this is a response of any class (2, 4 or 5).</summary>
    public bool IsResponse => Class is 2 or 4 or 5;

    /// <summary>Whether the request was received, understood and accepted (2.xx).</summary>
    public bool IsSuccess => Class == 2;

    /// <summary>Whether the request was at fault (4.xx).</summary>
    public bool IsClientError => Class == 4;

    /// <summary>Whether the server was at fault (5.xx).</summary>
    public bool IsServerError => Class == 5;

    /// <summary>Whether this is a signaling code, 7.xx (RFC 8323, section 5).</summary>
    public bool IsSignal => Class == 7;

    /// <summary>Whether this is 0.00; such a message carries nothing else.</summary>
    public bool IsEmpty => Value == 0;

    /// <summary>Whether the class is one that no RFC uses (1, 3 and 6).</summary>
    internal bool IsReserved => Class is 1 or 3 or 6;

    /// <summary>Whether the code is defined with a payload; where it is not, nobody sends one and receivers ignore it (RFC 7252, section 5.5).</summary>
    internal bool MayHavePayload => this != RequestCode.Get && this != RequestCode.Delete && this != ResponseCode.Valid;

    /// <summary>The code as "c.dd", such as "2.05".</summary>
    public override string ToString() => $"{Class}.{Detail:00}";

    private static int InRange(int value, int limit, string name)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(value, name);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(value, limit, name);
        return value;
    }
}
