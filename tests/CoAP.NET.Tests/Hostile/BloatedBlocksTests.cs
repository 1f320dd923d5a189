using System.Runtime.CompilerServices;
using CoAP.Blockwise;

namespace CoAP.Tests.Hostile;

/// <summary>A server whose blocks have a few bytes each, in datagrams that are full of options nobody needs.</summary>
public sealed class BloatedBlocksTests
{
    [Fact]
    public void A_body_that_is_collected_keeps_none_of_the_datagrams()
    {
        var cut = new ResponseBodyCollector(null, readAhead: 1024);

        WeakReference[] datagrams = [.. Enumerable.Range(0, 100).Select(i => Append(cut, i))];
        GC.Collect();

        datagrams.Count(datagram => datagram.IsAlive).Should().Be(0);
        cut.Collect().ToArray().Should().Equal(Enumerable.Range(0, 100).SelectMany(i => Enumerable.Repeat((byte)i, 16)));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Append(ResponseBodyCollector cut, int number)
    {
        var datagram = new byte[60_000];
        datagram.AsSpan(1000, 16).Fill((byte)number);
        cut.Append(datagram.AsMemory(1000, 16));
        return new WeakReference(datagram);
    }
}
