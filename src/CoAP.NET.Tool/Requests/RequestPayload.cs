namespace CoAP.Tool.Requests;

/// <summary>The payload of a request: bytes, or a stream that is read while it is sent.</summary>
internal sealed record RequestPayload(ReadOnlyMemory<byte> Bytes, BodySource? Source, uint? Format);
