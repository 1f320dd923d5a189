using System.Text;
using Nerdbank.MessagePack;

namespace CoAP.Formats;

/// <summary>Turns the exceptions of Nerdbank.MessagePack into payload errors, with the member and the position.</summary>
internal static class MessagePackErrors
{
    /// <summary>Whether the type cannot be converted at all, so that the payload or the value is not the cause.</summary>
    public static bool IsOfShape(MessagePackSerializationException exception) => CauseOf(exception) is NotSupportedException;

    /// <summary>Creates the error for a payload.</summary>
    /// <param name="exception">What Nerdbank.MessagePack has thrown.</param>
    /// <param name="offset">The position where it has stopped.</param>
    public static CoapPayloadException OfPayload(MessagePackSerializationException exception, long offset)
    {
        var cause = CauseOf(exception);
        var what = cause switch
        {
            EndOfStreamException => "The payload ends within a value",
            OverflowException => "A number or a length is out of range",
            DecoderFallbackException => "A text is not valid UTF-8",
            MessagePackSerializationException when IsOfDepth(cause) => "The value has too many levels",
            MessagePackSerializationException => $"Invalid MessagePack: {cause.Message.TrimEnd('.')}",
            _ => "A value is not valid for the expected type",      // A constructor, a setter or a collection of the caller has refused it.
        };
        var place = PlaceOf(exception, cause);
        return new CoapPayloadException($"{what}{place} (at byte {offset}).", offset, exception);
    }

    /// <summary>Creates the error for a value that cannot be written.</summary>
    public static ArgumentException OfValue(Type type, string parameter, MessagePackSerializationException exception)
    {
        var cause = CauseOf(exception);
        var what = IsOfDepth(cause) ? "it has too many levels; perhaps it contains itself" : cause.Message.TrimEnd('.');
        return new ArgumentException($"The {type.Name} cannot be written as MessagePack: {what}.", parameter, exception);
    }

    private static Exception CauseOf(Exception exception)
    {
        while (exception.InnerException is { } inner) { exception = inner; }
        return exception;
    }

    // Each level wraps the exception once. The innermost level names the member.
    private static string PlaceOf(Exception exception, Exception cause)
    {
        var (outer, inner) = (exception, exception);
        for (; inner.InnerException is { } next && next != cause; inner = next) { outer = inner; }
        var name = inner == outer ? null : Quoted(inner.Message);
        return name is null ? "" : $", in {name}";
    }

    private static string? Quoted(string message)
    {
        var start = message.IndexOf('\'', StringComparison.Ordinal);
        var end = start < 0 ? -1 : message.IndexOf('\'', start + 1);
        return end < 0 ? null : message[(start + 1)..end];
    }

    private static bool IsOfDepth(Exception cause) =>
        cause is MessagePackSerializationException && cause.Message.Contains("depth", StringComparison.OrdinalIgnoreCase);
}
