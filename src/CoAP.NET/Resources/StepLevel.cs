namespace CoAP.Resources;

/// <summary>The steps of one resource or of one group of resources. Safe for concurrent use.</summary>
/// <param name="depth">The number of groups around the owner of the steps.</param>
/// <remarks>
/// A step is created once, when it is added. The delegate that it gets as the next step looks up what follows at each call. So steps can be added at
/// any time, and a group shares its steps with all its resources.
/// </remarks>
internal sealed class StepLevel(int depth)
{
    private readonly Lock _adding = new();
    private RequestDelegate[] _steps = [];
    private bool _dependsOnPeer;

    /// <summary>Whether there are steps.</summary>
    public bool HasSteps => Volatile.Read(ref _steps).Length > 0;

    /// <summary>Whether a step may make responses depend on the peer.</summary>
    public bool DependsOnPeer => Volatile.Read(ref _dependsOnPeer);

    /// <summary>Adds a step inside the existing ones.</summary>
    /// <param name="step">Takes the next step, or the handler, and returns a delegate that calls it.</param>
    /// <param name="dependsOnPeer">Whether responses may depend on the peer because of the step.</param>
    /// <param name="owner">The template of the resource, or the prefix of the group.</param>
    /// <exception cref="InvalidOperationException">The step returned <see langword="null"/>.</exception>
    public void Add(Func<RequestDelegate, RequestDelegate> step, bool dependsOnPeer, string owner)
    {
        ArgumentNullException.ThrowIfNull(step);
        lock (_adding)
        {
            var following = _steps.Length + 1;
            var added = step((request, cancellationToken) => Run(following, request, cancellationToken)) ?? throw new InvalidOperationException(
                $"Step {following} of '{owner}' returned null. A step that is added with Use must return a delegate.");
            // First, so that no request runs the step while observers still share its result.
            if (dependsOnPeer) { Volatile.Write(ref _dependsOnPeer, true); }
            Volatile.Write(ref _steps, [.. _steps, added]);
        }
    }

    /// <summary>Runs the steps of this level and of the levels inside it, and the handler.</summary>
    public ValueTask<CoapResponse> Run(IncomingRequest request, CancellationToken cancellationToken) => Run(0, request, cancellationToken);

    // Each step sees responses with their payload, whether the handler or another step has made them.
    private ValueTask<CoapResponse> Run(int index, IncomingRequest request, CancellationToken cancellationToken)
    {
        var steps = Volatile.Read(ref _steps);
        return index < steps.Length
            ? HandlerCall.WithPayload(steps[index](request, cancellationToken), request)
            : request.Dispatch.Resource!.Run(depth + 1, request, cancellationToken);
    }
}
