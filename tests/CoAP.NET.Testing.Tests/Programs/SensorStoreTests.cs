using Microsoft.Extensions.Configuration;
using SampleHostedServer;

namespace CoAP.Testing.Tests.Programs;

public sealed class SensorStoreTests
{
    private const int First = 1_000_000;

    [Fact]
    public void A_new_sensor_takes_the_place_of_the_oldest_one()
    {
        var store = new SensorStore(new ConfigurationBuilder().Build());
        for (var id = First; id < First + SensorStore.MaxSensors; id++) { store.Save(id, new Reading(1)); }
        store.Save(First + 1, new Reading(2));

        store.Save(First + SensorStore.MaxSensors, new Reading(3));

        store.Find(First).Should().BeNull();
        store.Find(First + 1).Should().Be(new Reading(2));
        store.Find(First + SensorStore.MaxSensors).Should().Be(new Reading(3));
    }
}
