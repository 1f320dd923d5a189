using CoAP.Lanes;
using CoAP.Tests.Blockwise;

namespace CoAP.Tests.Hostile;

/// <summary>What the streams of handlers do when their reading ends, which a client brings about as often as it likes.</summary>
public sealed class StreamCallbacksTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    [Fact]
    public async Task The_cancellation_of_a_read_runs_no_code_of_the_handlers_on_the_lane()
    {
        var stream = new StubbornStream();
        using var run = new StreamedServer(map => map.At("down").Get(_ => Response.Content(stream, ContentFormats.OctetStream), HandlerMode.Inline));
        run.Client.Send("CON [0x0001] GET /down");
        run.Wire.RunFor(TimeSpan.Zero);
        await stream.IsRead.WaitAsync(Patience);

        run.Client.Send("CON [0x0002] GET /down");
        run.Wire.RunFor(TimeSpan.Zero);

        (await stream.CancelledOnLane.WaitAsync(Patience)).Should().BeFalse("the lane has other clients to serve");
    }

    private sealed class StubbornStream : MemoryStream
    {
        private readonly TaskCompletionSource<bool> _cancelled = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly TaskCompletionSource<int> _read = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly TaskCompletionSource _begun = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task<bool> CancelledOnLane => _cancelled.Task;

        public Task IsRead => _begun.Task;

        public override bool CanSeek => false;

        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            using var registration = cancellationToken.UnsafeRegister(_ => OnCancelled(), null);
            _begun.TrySetResult();
            return await _read.Task;
        }

        private void OnCancelled()
        {
            _cancelled.TrySetResult(Lane.IsAnyOwnedByCaller);
            _read.TrySetResult(0);
            throw new InvalidOperationException("A callback of the handler's fails.");
        }
    }
}
