using System.Collections.Concurrent;
using System.Threading.Channels;
using CoAP.Measurements.HandOffs.Ends;

namespace CoAP.Measurements.HandOffs.Rungs;

/// <summary>Queues within a process, one for each direction: the blocking one of .NET, and channels that are awaited.</summary>
internal static class Queues
{
    private const int Over = -1;

    public static IPair OpenBlocking(Placement placement)
    {
        var (there, back) = (new BlockingCollection<int>(), new BlockingCollection<int>());
        return new ThreadPair<BlockingTurn>(new BlockingTurn(there, back), there.CompleteAdding, Echo, placement);

        void Echo()
        {
            foreach (var item in there.GetConsumingEnumerable()) { back.Add(item); }
        }
    }

    public static IPair OpenChannels(Placement placement) => OpenChannels(isInline: false);

    /// <summary>Whoever writes runs what the reader does next: both ends become one chain of calls.</summary>
    public static IPair OpenInlineChannels(Placement placement) => OpenChannels(isInline: true);

    private static TaskPair<ChannelTurn> OpenChannels(bool isInline)
    {
        var settings = new UnboundedChannelOptions { SingleReader = true, SingleWriter = true, AllowSynchronousContinuations = isInline };
        var (there, back) = (Channel.CreateUnbounded<int>(settings), Channel.CreateUnbounded<int>(settings));
        _ = Task.Run(EchoAsync);
        return new TaskPair<ChannelTurn>(new ChannelTurn(there.Writer, back.Reader), () => there.Writer.TryWrite(Over));

        async Task EchoAsync()
        {
            while (await there.Reader.ReadAsync() is var item and not Over) { back.Writer.TryWrite(item); }
        }
    }

    private readonly struct BlockingTurn(BlockingCollection<int> there, BlockingCollection<int> back) : ITurn
    {
        public void ThereAndBack()
        {
            there.Add(0);
            back.Take();
        }
    }

    private readonly struct ChannelTurn(ChannelWriter<int> there, ChannelReader<int> back) : IAwaitedTurn
    {
        public ValueTask<int> ThereAndBackAsync()
        {
            there.TryWrite(0);
            return back.ReadAsync();
        }
    }
}
