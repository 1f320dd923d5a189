namespace CoAP.Groups;

/// <summary>Hands a request to the lane that sends to groups.</summary>
/// <param name="group">The address of the group.</param>
/// <param name="request">The request with all options.</param>
/// <param name="settings">How the request is sent.</param>
/// <param name="parked">Whether the caller blocks its thread.</param>
/// <exception cref="ArgumentException">The request does not fit into a message, or an interface does not exist.</exception>
internal delegate GroupRequest BeginGroupRequest(in PeerIdentity group, CoapRequest request, MulticastRequestSettings settings, bool parked);
