namespace CoAP.Tests.Observing;

/// <summary>What an observer costs; alone, because the memory counted is the whole process's.</summary>
[Collection("Loopback")]
public sealed class ObserverMemoryTests
{
    [Fact]
    public void An_observation_of_a_client_of_its_own_takes_at_most_two_kibibytes()
    {
        const int Attempts = 3;
        const int Observers = 20_000;

        // Other memory of the process can only add to the result. What the lane takes without observers does not count: about 1 MiB.
        var lane = Enumerable.Range(0, Attempts).Min(static _ => Measure(1));
        Enumerable.Range(0, Attempts).Min(_ => (Measure(Observers) - lane) / (double)Observers).Should().BeLessThan(2048);
    }

    private static long Measure(int observers)
    {
        var before = GC.GetTotalMemory(forceFullCollection: true);
        using var crowd = new ObserverCrowd(observers);
        crowd.Resource.NotifyChanged();
        crowd.PumpUntilQuiet();
        return GC.GetTotalMemory(forceFullCollection: true) - before;
    }
}
