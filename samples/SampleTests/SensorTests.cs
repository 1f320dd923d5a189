using CoAP;
using CoAP.Formats;
using CoAP.Testing;
using Xunit;

public class SensorTests
{
    [Fact]
    public async Task An_observer_gets_the_next_reading_although_datagrams_are_lost()
    {
        await using var program = new CoapApplicationFactory<Reading>();
        program.Network.Conditions = new LinkConditions { Loss = 0.2 };
        var client = program.CreateClient(new CoapClientSettings { Formats = PayloadFormats.Of(new JsonFormat(SensorJson.Default)) });
        program.Network.Run(async () =>
        {
            await client.PutAsync("/sensors/7", new Reading(21.5));
            await using var readings = client.ObserveAsync<Reading>("/sensors/7").GetAsyncEnumerator();
            await readings.MoveNextAsync();
            await client.PutAsync("/sensors/7", new Reading(22.5));
            await readings.MoveNextAsync();
            Assert.Equal(22.5, readings.Current.Celsius);
        });
    }
}
