namespace CoAP;

/// <summary>The registered methods (RFC 7252, section 12.1.1; RFC 8132, section 6).</summary>
public static class RequestCode
{
    /// <summary>Retrieves a representation (0.01). Safe and idempotent.</summary>
    public static CoapCode Get => new(1);

    /// <summary>Processes the enclosed representation (0.02). Neither safe nor idempotent.</summary>
    public static CoapCode Post => new(2);

    /// <summary>Creates or replaces the resource (0.03). Idempotent.</summary>
    public static CoapCode Put => new(3);

    /// <summary>Deletes the resource (0.04). Idempotent.</summary>
    public static CoapCode Delete => new(4);

    /// <summary>Retrieves the parts that the enclosed body selects (0.05; RFC 8132, section 2). Safe and idempotent.</summary>
    public static CoapCode Fetch => new(5);

    /// <summary>Changes a part of the resource (0.06; RFC 8132, section 3). Not idempotent.</summary>
    public static CoapCode Patch => new(6);

    /// <summary>Changes a part of the resource (0.07; RFC 8132, section 3). Idempotent.</summary>
    public static CoapCode IPatch => new(7);
}
