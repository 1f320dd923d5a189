namespace CoAP;

/// <summary>The registered methods (RFC 7252, section 12.1.1; RFC 8132, section 6).</summary>
public static class RequestCode
{
    /// <summary>Retrieves a representation; safe and idempotent (0.01).</summary>
    public static CoapCode Get => new(1);

    /// <summary>Has the enclosed representation processed; neither safe nor idempotent (0.02).</summary>
    public static CoapCode Post => new(2);

    /// <summary>Creates or replaces the resource; idempotent (0.03).</summary>
    public static CoapCode Put => new(3);

    /// <summary>Removes the resource; idempotent (0.04).</summary>
    public static CoapCode Delete => new(4);

    /// <summary>Retrieves what the enclosed body selects; safe and idempotent (0.05, RFC 8132, section 2).</summary>
    public static CoapCode Fetch => new(5);

    /// <summary>Changes a part of the resource; not idempotent (0.06, RFC 8132, section 3).</summary>
    public static CoapCode Patch => new(6);

    /// <summary>Changes a part of the resource; idempotent (0.07, RFC 8132, section 3).</summary>
    public static CoapCode IPatch => new(7);
}
