using System.Threading.Tasks.Dataflow;

namespace CoAP.Observing;

/// <summary>The newest representation from a sequence or block that the user has given for a resource.</summary>
internal sealed class LatestRepresentation(Resource resource)
{
    private static readonly CoapResponse None = CoAP.Response.Unavailable(TimeSpan.FromSeconds(1));

    private CoapResponse _response = None;

    public CoapResponse Response => Volatile.Read(ref _response);

    public async Task ReadAsync(IAsyncEnumerable<CoapResponse> source, CancellationToken cancellationToken)
    {
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        try
        {
            await foreach (var item in source.WithCancellation(cancellationToken).ConfigureAwait(false)) { Set(item); }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested) { }
        catch (Exception) // The edge to the user's sequence: its failure ends the observations.
        {
            Fail();
        }
    }

    public void TakeFrom(ISourceBlock<CoapResponse> source)
    {
        source.LinkTo(new ActionBlock<CoapResponse>(Set), new DataflowLinkOptions { PropagateCompletion = false });
        _ = source.Completion.ContinueWith(
            _ => Fail(), CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted, TaskScheduler.Default);
    }

    private void Set(CoapResponse response)
    {
        Volatile.Write(ref _response, response);
        resource.NotifyChanged();
    }

    private void Fail() => resource.EndObservations(ResponseCode.InternalServerError);
}
