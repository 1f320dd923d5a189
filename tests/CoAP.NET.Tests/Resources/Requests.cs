using System.Net;
using System.Text;
using CoAP.Datagrams;
using CoAP.Options;
using CoAP.Resources;
using CoAP.Serialization;

namespace CoAP.Tests.Resources;

/// <summary>Makes requests as they come from the wire, with their options as raw bytes.</summary>
internal static class Requests
{
    // The requests of these tests are routed, and not answered.
    private static readonly DatagramLane NoLane = null!;

    private static readonly ChannelKey Key = new(PeerIdentity.From(new IPEndPoint(IPAddress.Loopback, 40_000)), default);

    /// <summary>The Uri-Path options of a path as RFC 7252, section 6.4, step 8, makes them; "/" gives none.</summary>
    public static CoapOption[] Path(string path) => path == "/" ? [] : [.. path[1..].Split('/').Select(Segment)];

    // Nobody may send the dot segments, which UriPath therefore refuses; a hostile peer does so all the same.
    public static CoapOption Segment(string segment) => segment is "." or ".."
        ? new UnknownOption(UriPath.Declaration.Number, Encoding.UTF8.GetBytes(segment))
        : new UriPath(segment);

    public static CoapMessage Message(CoapCode method, string path, params CoapOption[] options) =>
        Message(method, [.. Path(path), .. options], default);

    public static CoapMessage Message(CoapCode method, OptionSet options, ReadOnlyMemory<byte> payload)
    {
        var made = new CoapMessage { Code = method, Options = options, Payload = payload };
        var bytes = new byte[CoapMessageSerializer.Datagram.GetSize(made)];
        CoapMessageSerializer.Datagram.Write(bytes, made);
        CoapMessageSerializer.Datagram.TryRead(bytes.AsMemory(), out var read, out var error, out _);
        error.Should().Be(FormatError.None);
        return read!;
    }

    /// <summary>The request as a handler sees it, routed by the map.</summary>
    public static IncomingRequest Routed(ResourceMap map, CoapMessage message) =>
        new DatagramRequest(NoLane, message, Key) { Route = Dispatch.For(message, map) };

    public static IncomingRequest Routed(ResourceMap map, string path) => Routed(map, Message(RequestCode.Get, path));

    public static IncomingRequest Unrouted(string path) => new DatagramRequest(NoLane, Message(RequestCode.Get, path), Key);
}
