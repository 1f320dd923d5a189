using CoAP;
using Microsoft.Extensions.Configuration;
using SampleHostedServer;
using SampleServer;
using Xunit;

namespace SampleTests.Stores;

/// <summary>The limits of what the sample servers keep for anyone who reaches them.</summary>
public sealed class StoreTests
{
    private const int ItemSize = 256 << 10;

    [Fact]
    public async Task The_store_of_the_sample_server_limits_the_sum_of_its_bytes()
    {
        var network = new InMemoryNetwork();
        await using var server = new CoapServer(new CoapServerSettings { Network = network, Endpoints = [ServerEndpoint.InMemory("server")] });
        new Store().Map(server.Resources.At("store/{name}"));
        server.Start();
        await using var client = new CoapClient(new CoapClientSettings { Network = network });
        var payload = new byte[ItemSize];

        for (var number = 0; number < 64; number++) { (await PutAsync(client, number, payload)).EnsureSuccess(); }
        var refused = await PutAsync(client, 64, payload);
        var replaced = await PutAsync(client, 0, payload);
        (await client.DeleteAsync("coap+tcp://server/store/1")).EnsureSuccess();
        var afterwards = await PutAsync(client, 65, payload);      // the client repeats 5.03 for the refused one until its Max-Age ends

        refused.Code.Should().Be(ResponseCode.ServiceUnavailable);
        refused.PayloadText.Should().Be("The store holds at most 16777216 bytes. Delete some first.");
        (replaced.Code, afterwards.Code).Should().Be((ResponseCode.Changed, ResponseCode.Created));
    }

    // The copy would be as large as the largest representation. Other threads allocate too, so the smallest of several numbers counts.
    [Fact]
    public async Task The_store_of_the_sample_server_copies_nothing_that_it_refuses()
    {
        var network = new InMemoryNetwork();
        await using var server = new CoapServer(new CoapServerSettings { Network = network, Endpoints = [ServerEndpoint.InMemory("server")] });
        new Store().Map(server.Resources.At("store/{name}"));
        server.Start();
        await using var client = new CoapClient(new CoapClientSettings { Network = network });
        (await PutAsync(client, 0, new byte[ItemSize])).EnsureSuccess();

        var least = long.MaxValue;
        for (var attempt = 0; attempt < 10; attempt++)
        {
            var before = GC.GetTotalAllocatedBytes(precise: true);
            var refused = await client.PostAsync("coap+tcp://server/store/0", new byte[1], ContentFormats.OctetStream);
            least = Math.Min(least, GC.GetTotalAllocatedBytes(precise: true) - before);
            refused.Code.Should().Be(ResponseCode.RequestEntityTooLarge);
        }

        least.Should().BeLessThan(ItemSize);
    }

    [Fact]
    public void The_store_of_sensors_is_full_at_a_number()
    {
        const int First = 1_000_000;
        var store = new SensorStore(new ConfigurationBuilder().Build());
        var reading = new SampleHostedServer.Reading(20);

        for (var number = 0; number < SensorStore.MaxSensors; number++) { store.Save(First + number, reading); }

        FluentActions.Invoking(() => store.Save(First + SensorStore.MaxSensors, reading))
            .Should().Throw<CoapResponseException>().WithMessage("*10000 sensors*").Which.Code.Should().Be(ResponseCode.ServiceUnavailable);
        store.Save(First, reading);
    }

    private static ValueTask<CoapResponse> PutAsync(CoapClient client, int number, byte[] payload) =>
        client.PutAsync($"coap+tcp://server/store/{number}", payload, ContentFormats.OctetStream);
}
