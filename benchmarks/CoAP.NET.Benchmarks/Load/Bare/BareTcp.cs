using System.Buffers;
using System.Collections.Concurrent;

namespace CoAP.Benchmarks.Load;

/// <summary>How a server runs its connections and handlers.</summary>
internal enum ServerModel
{
    /// <summary>Loops of all connections on one thread.</summary>
    Single,

    /// <summary>Loops on all cores.</summary>
    Cores,

    /// <summary>A thread for each connection.</summary>
    Threads,

    /// <summary>Loops on all cores, and threads behind a queue for handlers that block.</summary>
    Mixed,
}

/// <summary>Serves each connection with a loop, awaited or blocking: the cost of a model without a protocol. Answers all requests of a read at once.</summary>
internal sealed class BareTcp(Socket listener, int bufferSize)
{
    private const int StackSize = 256 << 10;

    public void Start(ServerModel model)
    {
        switch (model)
        {
            case ServerModel.Single: LoopThread.Begin(AcceptAsync); break;
            case ServerModel.Threads: new Thread(Accept) { IsBackground = true }.Start(); break;
            default: _ = AcceptAsync(); break;
        }
    }

    private async Task AcceptAsync()
    {
        while (true) { _ = ServeAsync(await listener.AcceptAsync()); }
    }

    private void Accept()
    {
        try
        {
            while (true)
            {
                var socket = listener.Accept();
                new Thread(() => Serve(socket), StackSize) { IsBackground = true }.Start();
            }
        }
        catch (SocketException)
        {
            // The listener was disposed of.
        }
    }

    private async Task ServeAsync(Socket socket)
    {
        using var connection = socket;
        socket.NoDelay = true;
        var (buffer, filled) = (new byte[bufferSize], 0);
        try
        {
            await socket.SendAsync(StreamFrame.Csm.ToArray());
            while (await socket.ReceiveAsync(buffer.AsMemory(filled)) is var count and > 0)
            {
                var output = ArrayPool<byte>.Shared.Rent(2 * bufferSize);
                var length = Answer(buffer, filled + count, output, out filled);
                if (length > 0) { await socket.SendAsync(output.AsMemory(0, length)); }
                ArrayPool<byte>.Shared.Return(output);
            }
        }
        catch (SocketException)
        {
            // The peer is gone.
        }
    }

    private void Serve(Socket socket)
    {
        using var connection = socket;
        socket.NoDelay = true;
        var (buffer, output, filled) = (new byte[bufferSize], new byte[2 * bufferSize], 0);
        try
        {
            socket.Send(StreamFrame.Csm);
            while (socket.Receive(buffer.AsSpan(filled)) is var count and > 0)
            {
                var length = Answer(buffer, filled + count, output, out filled);
                if (length > 0) { socket.Send(output.AsSpan(0, length)); }
            }
        }
        catch (SocketException)
        {
            // The peer is gone.
        }
    }

    // Answers all complete requests and moves the rest to the front. An answer is less than twice as long as its request.
    private static int Answer(byte[] input, int filled, Span<byte> output, out int rest)
    {
        var (at, length) = (0, 0);
        while (StreamFrame.TryRead(input.AsSpan(at, filled - at), out var frame) && frame.Length <= filled - at)
        {
            length += BareAnswer.ToFrame(frame, input.AsSpan(at, (int)frame.Length), output[length..]);
            at += (int)frame.Length;
        }
        input.AsSpan(at, filled - at).CopyTo(input);
        rest = filled - at;
        return length;
    }

    /// <summary>A thread that runs the continuations of everything that began on it.</summary>
    private sealed class LoopThread : SynchronizationContext
    {
        private readonly BlockingCollection<(SendOrPostCallback Work, object? State)> _work = [];

        public static void Begin(Func<Task> work)
        {
            var loop = new LoopThread();
            loop.Post(static work => _ = ((Func<Task>)work!)(), work);
            new Thread(loop.Run) { IsBackground = true }.Start();
        }

        public override void Post(SendOrPostCallback d, object? state) => _work.Add((d, state));

        private void Run()
        {
            SetSynchronizationContext(this);
            foreach (var (work, state) in _work.GetConsumingEnumerable()) { work(state); }
        }
    }
}
