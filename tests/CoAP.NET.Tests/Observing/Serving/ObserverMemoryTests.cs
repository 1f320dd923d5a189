namespace CoAP.Tests.Observing;

/// <summary>What an observer costs; alone, because the memory counted is the whole process's.</summary>
[Collection("Loopback")]
public sealed class ObserverMemoryTests
{
    [Fact]
    public void An_observation_of_a_client_of_its_own_takes_at_most_two_kibibytes()
    {
        const int Attempts = 3;

        // Other memory of the process can only add to the result.
        Enumerable.Range(0, Attempts).Min(static _ => Measure()).Should().BeLessThan(2048);
    }

    private static double Measure()
    {
        const int Observers = 20_000;
        var before = GC.GetTotalMemory(forceFullCollection: true);
        using var crowd = new ObserverCrowd(Observers);
        crowd.Resource.NotifyChanged();
        crowd.PumpUntilQuiet();
        return (double)(GC.GetTotalMemory(forceFullCollection: true) - before) / Observers;
    }
}
