using System.Globalization;

namespace CoAP.Testing;

/// <summary>An entry in the transcript of a <see cref="SimulatedNetwork"/>: a datagram, or an event of a connection.</summary>
/// <param name="Time">When it was sent: the time since the beginning.</param>
/// <param name="From">The sender.</param>
/// <param name="To">The receiver.</param>
/// <param name="Bytes">The bytes of the datagram or of the message. Empty for other events of a connection.</param>
/// <param name="Copies">The number of copies that arrive: 0 if it is lost, 2 if it is repeated. Always 1 for connections.</param>
public sealed record TranscriptEntry(TimeSpan Time, string From, string To, ReadOnlyMemory<byte> Bytes, int Copies)
{
    /// <summary>The kind of the entry.</summary>
    public TranscriptEntryKind Kind { get; init; }

    /// <summary>The number of the connection. Connections are numbered from 1 in the order in which they open. 0 for a datagram.</summary>
    public int Connection { get; init; }

    /// <summary>Whether the network has lost the datagram.</summary>
    public bool IsLost => Copies == 0;

    /// <summary>
    /// The message, such as <c>CON [0x7d34] GET /temperature (Token 0x20)</c>, without type and message ID on a connection; the bytes if it is not a message.
    /// For another event of a connection, its name, such as <c>opened</c>.
    /// </summary>
    public string Message => Kind switch
    {
        TranscriptEntryKind.Datagram => MessageText.OfDatagram(Bytes.Span),
        TranscriptEntryKind.Message => MessageText.OfFrame(Bytes.Span),
        _ => Kind.ToString().ToLowerInvariant(),
    };

    /// <summary>Returns the time in seconds, the hosts, the connection and the message.</summary>
    public override string ToString()
    {
        var place = Connection == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $" (connection {Connection})");
        var fate = Copies == 0 ? "  (lost)" : Copies > 1 ? string.Create(CultureInfo.InvariantCulture, $"  ({Copies} copies)") : "";
        return string.Create(CultureInfo.InvariantCulture, $"{Time.TotalSeconds,10:0.000} {From} -> {To}{place}: {Message}{fate}");
    }
}
