using CoAP.Formats;
using CoAP.Fuzzing.Engine;
using Google.Protobuf.Reflection;

namespace CoAP.Fuzzing.Payloads;

/// <summary>The payload formats.</summary>
internal static class PayloadTargets
{
    // SenML records are read whose only value is the base value or was skipped. They are not written, because other receivers refuse them.
    private const string OnlyValue = ": its only ";

    public static IReadOnlyList<FuzzTarget> All { get; } =
    [
        Device("cbor", new CborFormat(FuzzedContracts.Default), PayloadWords.Cbor),
        Device("messagepack", new MessagePackFormat(FuzzedShapes.GeneratedTypeShapeProvider), PayloadWords.MessagePack),
        Device("json", new JsonFormat(FuzzedJson.Default), PayloadWords.Json),
        new PayloadTarget<FileDescriptorProto>(
            "protobuf", new ProtobufFormat<FileDescriptorProto>(FileDescriptorProto.Parser), static file => file.ToString(), PayloadWords.Protobuf),
        new PayloadTarget<SenmlPack>("senml-json", new SenmlJsonFormat(), static pack => pack.ToString(), PayloadWords.SenmlJson, OnlyValue),
        new PayloadTarget<SenmlPack>("senml-cbor", new SenmlCborFormat(), static pack => pack.ToString(), PayloadWords.SenmlCbor, OnlyValue),
        new CborItemsTarget(), new MessagePackItemsTarget(),
    ];

    private static PayloadTarget<FuzzedDevice> Device(string name, IPayloadFormat format, IReadOnlyList<byte[]> words) =>
        new(name, format, FuzzedDevice.Describe, words);
}
