using System.Collections.Concurrent;
using System.Threading.Channels;
using System.Threading.Tasks.Dataflow;

namespace CoAP.Benchmarks.Load;

/// <summary>The ways to hand something over within a process.</summary>
internal static class Rungs
{
    private const int Over = -1;

    /// <summary>Both ends read one variable until it changes.</summary>
    public static Ends Spin(Placement placement)
    {
        var flag = new Flag();
        return Ends.Block(flag.ThereAndBack, () => flag.IsOver = true, flag.Echo, placement);
    }

    /// <summary>Two semaphores. .NET's semaphore spins for a while before it sleeps.</summary>
    public static Ends Semaphore(Placement placement)
    {
        var (there, back, isOver) = (new SemaphoreSlim(0), new SemaphoreSlim(0), false);
        return Ends.Block(() => { there.Release(); back.Wait(); }, () => { Volatile.Write(ref isOver, true); there.Release(); }, Echo, placement);

        void Echo()
        {
            for (there.Wait(); !Volatile.Read(ref isOver); there.Wait()) { back.Release(); }
        }
    }

    /// <summary>Two wait handles, which sleep at once.</summary>
    public static Ends Handle(Placement placement)
    {
        var (there, back, isOver) = (new AutoResetEvent(false), new AutoResetEvent(false), false);
        return Ends.Block(() => { there.Set(); back.WaitOne(); }, () => { Volatile.Write(ref isOver, true); there.Set(); }, Echo, placement);

        void Echo()
        {
            for (there.WaitOne(); !Volatile.Read(ref isOver); there.WaitOne()) { back.Set(); }
        }
    }

    public static Ends BlockingQueue(Placement placement)
    {
        var (there, back) = (new BlockingCollection<int>(), new BlockingCollection<int>());
        return Ends.Block(() => { there.Add(0); back.Take(); }, there.CompleteAdding, Echo, placement);

        void Echo()
        {
            foreach (var item in there.GetConsumingEnumerable()) { back.Add(item); }
        }
    }

    public static Ends AwaitedSemaphore(Placement placement)
    {
        var (there, back, isOver) = (new SemaphoreSlim(0), new SemaphoreSlim(0), false);
        return Ends.Await(TurnAsync, () => { Volatile.Write(ref isOver, true); there.Release(); }, EchoAsync);

        async ValueTask<int> TurnAsync()
        {
            there.Release();
            await back.WaitAsync();
            return 0;
        }

        async Task EchoAsync()
        {
            while (true)
            {
                await there.WaitAsync();
                if (Volatile.Read(ref isOver)) { return; }
                back.Release();
            }
        }
    }

    public static Ends Channels(Placement placement) => Channels(isInline: false);

    /// <summary>The writer runs what the reader does next: both ends become one chain of calls.</summary>
    public static Ends InlineChannels(Placement placement) => Channels(isInline: true);

    /// <summary>The block is the echo. A buffer takes what comes back.</summary>
    public static Ends Transform(Placement placement)
    {
        var (echo, back) = (new TransformBlock<int, int>(static item => item, new ExecutionDataflowBlockOptions { SingleProducerConstrained = true }), new BufferBlock<int>());
        echo.LinkTo(back);
        return Ends.Await(
            () =>
            {
                echo.Post(0);
                return new ValueTask<int>(back.ReceiveAsync());
            },
            echo.Complete);
    }

    private static Ends Channels(bool isInline)
    {
        var settings = new UnboundedChannelOptions { SingleReader = true, SingleWriter = true, AllowSynchronousContinuations = isInline };
        var (there, back) = (Channel.CreateUnbounded<int>(settings), Channel.CreateUnbounded<int>(settings));
        return Ends.Await(
            () =>
            {
                there.Writer.TryWrite(0);
                return back.Reader.ReadAsync();
            },
            () => there.Writer.TryWrite(Over),
            EchoAsync);

        async Task EchoAsync()
        {
            while (await there.Reader.ReadAsync() is var item and not Over) { back.Writer.TryWrite(item); }
        }
    }

    private sealed class Flag
    {
        private volatile bool _isSet;
        private volatile bool _isOver;

        public bool IsOver { set => _isOver = value; }

        public void ThereAndBack()
        {
            _isSet = true;
            while (_isSet)
            {
                // Spins.
            }
        }

        public void Echo()
        {
            while (!_isOver)
            {
                if (_isSet) { _isSet = false; }
            }
        }
    }
}
