namespace CoAP;

/// <summary>What goes wrong in CoAP; the leaves say who broke which rule.</summary>
public abstract class CoapException : Exception
{
    private protected CoapException(string message, Exception? innerException = null)
        : base(message, innerException)
    {
    }
}

/// <summary>The bytes handed to a deserializer are no CoAP message.</summary>
public sealed class CoapFormatException : CoapException
{
    internal CoapFormatException(FormatError reason, long offset)
        : base($"{reason.Describe()} (at byte {offset}).") => (Reason, Offset) = (reason, offset);

    /// <summary>The clause that the bytes break.</summary>
    public FormatError Reason { get; }

    /// <summary>The offset in bytes, from the start of the message, at which it breaks.</summary>
    public long Offset { get; }
}
