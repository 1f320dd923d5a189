using System.Net;
using CoAP.Formats;
using Google.Protobuf.WellKnownTypes;

namespace CoAP.Interop.Tests.Trimming;

/// <summary>A server and a client exchange a value in each format. This code runs in the tests and, trimmed, as a program of its own.</summary>
internal static class ExchangedValues
{
    private static readonly ExchangedReading Reading = new()
    {
        Id = "urn:dev:ow:10e2073a01080063",
        Sequence = 184_211,
        Time = new DateTimeOffset(2026, 3, 14, 9, 26, 53, 250, TimeSpan.Zero),
        Temperature = 22.375,
    };

    private static readonly SenmlPack Pack =
    [
        new() { BaseName = Reading.Id + ":", Name = "temperature", Unit = "Cel", Value = Reading.Temperature },
        new() { Name = "label", TextValue = "Machine Room" },
    ];

    /// <summary>Returns a line for each format: its name, and the value that the client got.</summary>
    public static async Task<IReadOnlyList<string>> RunAsync() =>
    [
        await ExchangeAsync(new JsonFormat(ExchangedJson.Default), Reading),
        await ExchangeAsync(new CborFormat(ExchangedContracts.Default), Reading),
        await ExchangeAsync(new MessagePackFormat(ExchangedShapes.GeneratedTypeShapeProvider), Reading),
        await ExchangeAsync(new SenmlJsonFormat(), Pack),
        await ExchangeAsync(new SenmlCborFormat(), Pack),
        await ExchangeAsync(new ProtobufFormat<Timestamp>(Timestamp.Parser), Timestamp.FromDateTimeOffset(Reading.Time)),
    ];

    private static async Task<string> ExchangeAsync<T>(IPayloadFormat format, T value)
    {
        var formats = PayloadFormats.Of(format);
        var endpoint = ServerEndpoint.Udp(new IPEndPoint(IPAddress.Loopback, 0));
        await using var server = new CoapServer(new CoapServerSettings { Formats = formats, Endpoints = [endpoint] });
        server.Resources.At("value").Post(static request => Response.Content(request.Read<T>()));
        server.Start();
        await using var client = new CoapClient(new CoapClientSettings { Formats = formats });
        var returned = await client.PostAsync<T, T>($"coap://127.0.0.1:{server.Endpoints[0].Address.Port}/value", value);
        return $"{format.Name}: {returned}".ReplaceLineEndings(" ");
    }
}
