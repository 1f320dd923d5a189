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
        var changed = await PutAsync(client, 0, payload);
        var added = await PutAsync(client, 64, payload);
        var codes = new List<CoapCode>();
        for (var number = 0; number < 3; number++) { codes.Add((await client.GetAsync($"coap+tcp://server/store/{number}")).Code); }

        (changed.Code, added.Code).Should().Be((ResponseCode.Changed, ResponseCode.Created));
        // 1 was not changed for the longest time.
        codes.Should().Equal(ResponseCode.Content, ResponseCode.NotFound, ResponseCode.Content);
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
    public void A_new_sensor_takes_the_place_of_the_oldest()
    {
        const int First = 1_000_000;
        var (old, changed) = (new SampleHostedServer.Reading(1), new SampleHostedServer.Reading(2));
        var last = new SampleHostedServer.Reading(3);
        var store = new SensorStore(new ConfigurationBuilder().Build());

        for (var id = First; id < First + SensorStore.MaxSensors; id++) { store.Save(id, old); }
        store.Save(First + 1, changed);
        store.Save(First + SensorStore.MaxSensors, last);

        store.Find(First).Should().BeNull();
        store.Find(First + 1).Should().Be(changed);
        store.Find(First + SensorStore.MaxSensors).Should().Be(last);
    }

    private static ValueTask<CoapResponse> PutAsync(CoapClient client, int number, byte[] payload) =>
        client.PutAsync($"coap+tcp://server/store/{number}", payload, ContentFormats.OctetStream);
}
