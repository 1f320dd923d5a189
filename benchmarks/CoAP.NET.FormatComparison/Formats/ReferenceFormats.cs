using MessagePack;
using ProtoBuf;

namespace CoAP.FormatComparison.Formats;

/// <summary>MessagePack by the package of this name, the reference implementation for C#, as for payloads from others.</summary>
internal sealed class MessagePackForCSharp<T>() : PayloadFormat<T>(65_102, FormatNames.MessagePackForCSharp)
{
    private static readonly MessagePackSerializerOptions Options = MessagePackSerializerOptions.Standard.WithSecurity(MessagePackSecurity.UntrustedData);

    protected override void Write(IBufferWriter<byte> output, T value) => MessagePackSerializer.Serialize(output, value, Options);

    protected override T Read(ReadOnlyMemory<byte> payload) => MessagePackSerializer.Deserialize<T>(payload, Options);
}

/// <summary>Protocol Buffers by protobuf-net, for classes with attributes.</summary>
internal sealed class ProtobufNet<T>() : PayloadFormat<T>(65_103, FormatNames.ProtobufNet)
{
    protected override void Write(IBufferWriter<byte> output, T value) => Serializer.Serialize(output, value);

    protected override T Read(ReadOnlyMemory<byte> payload) => Serializer.Deserialize<T>(payload);
}

/// <summary>A list of integers for protobuf-net.</summary>
[ProtoContract]
public sealed class IntMessage
{
    [ProtoMember(1, IsPacked = true, DataFormat = DataFormat.ZigZag)]
    public int[] Values { get; set; } = [];
}
