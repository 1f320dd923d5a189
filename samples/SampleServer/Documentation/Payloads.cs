using System.Collections.Concurrent;
using System.Text.Json.Serialization;
using CoAP;
using CoAP.Formats;
using CoAP.Options;

namespace SampleServer;

/// <summary>What a device reports.</summary>
internal sealed record Reading(string Device, long Sequence, double Celsius);

[PayloadContract(typeof(Reading))]
internal sealed partial class DeviceContracts : PayloadContracts;

[JsonSerializable(typeof(Reading))]
internal sealed partial class DeviceJson : JsonSerializerContext;

/// <summary>The code of the page "Typed payloads".</summary>
internal static class Payloads
{
    public static PayloadFormats Formats { get; } = PayloadFormats.Of(new CborFormat(DeviceContracts.Default), new JsonFormat(DeviceJson.Default));

    public static async Task ServeAsync(CancellationToken cancellationToken)
    {
        var latest = new ConcurrentDictionary<string, Reading>();

        await using var server = new CoapServer(new CoapServerSettings { Formats = Formats });
        server.Resources.At("readings/{device}")
            .Get(request => latest.TryGetValue(request["device"], out var reading) ? Response.Content(reading) : Response.NotFound)
            .Put(request =>
            {
                latest[request["device"]] = request.Read<Reading>();
                return Response.Changed;
            });
        await server.RunAsync(cancellationToken);
    }

    public static async Task CallAsync(CancellationToken cancellationToken)
    {
        await using var client = new CoapClient(new CoapClientSettings { Formats = Formats });

        var put = await client.PutAsync("coap://localhost/readings/pump", new Reading("pump", 1, 21.5), cancellationToken);
        put.EnsureSuccess();
        var reading = await client.GetAsync<Reading>("coap://localhost/readings/pump", cancellationToken);
        Console.WriteLine(reading.Celsius);
    }

    public static async Task ObserveAsync(CoapClient client, CancellationToken cancellationToken)
    {
        await foreach (var reading in client.ObserveAsync<Reading>("coap://localhost/readings/pump", cancellationToken))
        {
            Console.WriteLine(reading.Celsius);
        }
    }

    public static async Task<Reading> AskInJsonAsync(CoapClient client, CancellationToken cancellationToken)
    {
        var request = new CoapRequest(RequestCode.Get, "coap://localhost/readings/pump") { Options = [new Accept(ContentFormats.Json)] };
        var response = await client.SendAsync(request, cancellationToken);
        return response.EnsureSuccess().Read<Reading>(client.Formats);
    }

    public static CborFormat ForSmallDevices() => new(DeviceContracts.Default, new PayloadLimits { MaxSize = 4096, MaxDepth = 8, MaxCount = 100 });
}
