using CoAP.Dtls.OpenSsl;
using CoAP.TestSupport;
using CoAP.Tests.Dtls.Handshakes;

namespace CoAP.Tests.Dtls.OpenSsl;

/// <summary>No object of OpenSSL outlives its handshake, wherever the handshake ends.</summary>
[Collection("Leaks")]
public sealed class OpenSslLeakTests
{
    private const int MostGrowth = 32 << 20;    // in bytes; the objects of a thousandth of the handshakes would be more

    private static readonly int Handshakes = TestLevel.IsFull ? 100_000 : 3_000;

    [Fact]
    public void Memory_and_objects_are_flat_although_a_third_of_the_handshakes_break()
    {
        var random = new Random(9146);
        Shake(random, Handshakes / 10);

        // What other tests have left in the process can grow once. A leak grows each time.
        var isFlat = Enumerable.Range(0, 3).Any(_ => GrowthOf(random) < MostGrowth);

        SslHandle.Count.Should().Be(0);
        isFlat.Should().BeTrue();
    }

    private static long GrowthOf(Random random)
    {
        var before = Resident();
        Shake(random, Handshakes);
        return Resident() - before;
    }

    private static void Shake(Random random, int count)
    {
        for (var i = 0; i < count; i++)
        {
            using var pair = new HandshakePair(seed: i);
            if (i % 9 == 0) { pair.Keys["device-7"] = [9]; }
            pair.Run(i % 3 == 0 ? random.Next(7) : 12);
        }
    }

    private static long Resident()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        return Environment.WorkingSet;
    }
}

/// <summary>These tests count the objects of the process, so no other test runs beside them.</summary>
[CollectionDefinition("Leaks", DisableParallelization = true)]
public sealed class LeaksCollection
{
}
