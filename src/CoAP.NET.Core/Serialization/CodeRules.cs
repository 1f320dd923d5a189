namespace CoAP.Serialization;

/// <summary>Checks that a message may be sent: no receiver could read one that breaks these rules.</summary>
internal static class CodeRules
{
    /// <summary>Throws if the message is not valid in a datagram, which carries no signaling (RFC 8323, section 5.1).</summary>
    public static void ThrowUnlessDatagram(CoapMessage message)
    {
        if (message.Code.IsSignal)
        {
            throw new ArgumentException(
                $"Code {message.Code} is a signaling code, which only reliable transports support (RFC 8323, section 5.1).", nameof(message));
        }
        ThrowUnlessSendable(message);
    }

    /// <summary>Throws if an Empty message carries anything or the class of the code is reserved (RFC 7252, sections 3 and 4.1).</summary>
    public static void ThrowUnlessSendable(CoapMessage message)
    {
        if (message.Code.IsReserved)
        {
            throw new ArgumentException($"The class of code {message.Code} is reserved (RFC 7252, section 3).", nameof(message));
        }
        if (message.Code.IsEmpty && !(message.Token.IsEmpty && message.Options.IsEmpty && message.Payload.IsEmpty))
        {
            throw new ArgumentException("An Empty message (0.00) has no token, options or payload (RFC 7252, section 4.1).", nameof(message));
        }
    }

    /// <summary>Returns the size as the length of an array, or throws if it is too large.</summary>
    public static int ToSize(long size) => size <= Array.MaxLength
        ? (int)size
        : throw new ArgumentException($"Token and options take {size} bytes; at most {Array.MaxLength} are allowed.");
}
