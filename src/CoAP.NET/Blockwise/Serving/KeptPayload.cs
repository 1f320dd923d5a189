using System.Runtime.InteropServices;

namespace CoAP.Blockwise;

/// <summary>The payloads that are kept longer than their messages. A payload keeps all bytes of its message in memory.</summary>
internal static class KeptPayload
{
    // A copy costs more than this is worth.
    private const int Slack = 1024;

    /// <summary>Returns a payload for keeping: a copy if the message has many other bytes.</summary>
    public static ReadOnlyMemory<byte> Of(ReadOnlyMemory<byte> payload) =>
        MemoryMarshal.TryGetArray(payload, out var part) && part.Array!.Length - part.Count > Slack ? payload.ToArray() : payload;

    /// <summary>Returns the payload of a response for keeping: a copy if it is a part of the request.</summary>
    public static ReadOnlyMemory<byte> Of(IncomingRequest request, CoapResponse response) =>
        MemoryMarshal.TryGetArray(response.Payload, out var part) && MemoryMarshal.TryGetArray(request.Message.Payload, out var received)
            && part.Array == received.Array
            ? Of(response.Payload)
            : response.Payload;
}
