namespace CoAP;

/// <summary>The base class of all errors that this library reports. Each derived class names who caused the error.</summary>
public abstract class CoapException : Exception
{
    private protected CoapException(string message, Exception? innerException = null)
        : base(message, innerException)
    {
    }
}

/// <summary>Thrown when bytes that were to be deserialized are not a CoAP message.</summary>
public sealed class CoapFormatException : CoapException
{
    internal CoapFormatException(FormatError reason, long offset)
        : base($"{reason.Describe()} (at byte {offset}).") => (Reason, Offset) = (reason, offset);

    /// <summary>The rule that the bytes break.</summary>
    public FormatError Reason { get; }

    /// <summary>The offset of the error in bytes from the start of the message.</summary>
    public long Offset { get; }
}
